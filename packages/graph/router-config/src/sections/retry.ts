import type { ValueOf } from '../declaration/key-type.ts';
import { key, section } from '../declaration/key.ts';
import { amount, boolean, duration } from '../declaration/value-types.ts';

/** Retries of the requests to one subgraph: the keys and defaults of Apollo Router 1. */
export const retry = section({
  min_per_sec: key(amount, {
    default: 10,
    note: 'So many retries in a second are allowed however few requests there are',
  }),
  retry_percent: key(amount, {
    default: 0.2,
    note: 'In addition, retries are allowed for this part of the requests: 0.2 is one for five',
  }),
  ttl: key(duration, { default: '10s', note: 'The time over which requests and retries are counted' }),
  retry_mutations: key(boolean, {
    default: false,
    note: 'Sends mutations again too, which may then happen twice',
  }),
});

/** The rules for retries. */
export type RetryRules = ValueOf<typeof retry>;
