import { duration } from '../value-types/duration.ts';
import { required } from '../value-types/key.ts';
import { section } from '../value-types/section.ts';
import { wholeNumber } from '../value-types/whole-number.ts';

/** A capacity for each interval. */
export const rateLimit = section({
  capacity: required(wholeNumber({ minimum: 1 })),
  interval: required(duration),
});
