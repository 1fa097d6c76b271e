import { duration } from '../declaration/duration.ts';
import { required } from '../declaration/key.ts';
import { section } from '../declaration/section.ts';
import { wholeNumber } from '../declaration/whole-number.ts';

/** A capacity for each interval. */
export const rateLimit = section({
  capacity: required(wholeNumber({ minimum: 1 })),
  interval: required(duration),
});
