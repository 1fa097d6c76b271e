import { checked, listOf } from '../declaration/key-type.ts';
import { url } from '../declaration/value-types.ts';

/** The address of a Redis or Valkey: a list, as in Apollo Router, of exactly one. */
export const redisUrls = checked(listOf(url(['redis', 'rediss'])), ({ length }) =>
  length === 1 ? undefined : 'takes exactly one: clusters are not supported',
);
