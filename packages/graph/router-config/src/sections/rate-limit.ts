import { key, section } from '../declaration/key.ts';
import { duration, positiveInteger } from '../declaration/value-types.ts';

/** A capacity for each interval. */
export const rateLimit = (noteOnCapacity: string) =>
  section({
    capacity: key(positiveInteger, { required: true, note: noteOnCapacity }),
    interval: key(duration, { required: true, note: 'The interval' }),
  });
