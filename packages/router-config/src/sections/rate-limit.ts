import { duration } from '../kinds/duration.ts';
import { required } from '../kinds/key.ts';
import { section } from '../kinds/section.ts';
import { wholeNumber } from '../kinds/whole-number.ts';

/** So much in each interval. */
export const rateLimit = section({
  capacity: required(wholeNumber({ minimum: 1 })),
  interval: required(duration),
});
