import type { ValueOf } from '../declaration/key-type.ts';
import { checked, mapOf } from '../declaration/key-type.ts';
import { key, section } from '../declaration/key.ts';
import { duration, share, wholeNumber } from '../declaration/value-types.ts';

const circuit = checked(
  section({
    consecutive_failures: key(wholeNumber({ minimum: 1, maximum: 1_000_000 }), {
      default: 5,
      note: 'So many failures in a row open the circuit: no connection, no response in time, a broken one, a status of 500 or more, or 429',
    }),
    failure_rate_threshold: key(share, {
      default: 0.5,
      note: 'This part of the latest requests that fails opens it too',
    }),
    min_requests: key(wholeNumber({ minimum: 1, maximum: 1_000_000 }), {
      default: 10,
      note: 'The fewest requests of which a part counts; at most window_size',
    }),
    window_size: key(wholeNumber({ minimum: 1, maximum: 1_000_000 }), {
      default: 100,
      note: 'The number of latest requests of which it is a part',
    }),
    open_duration: key(duration, {
      default: '30s',
      note: 'While it is open, requests fail at once with REQUEST_CIRCUIT_BREAKER_OPEN. After this time, one request is a trial: its outcome closes the circuit, or opens it again. A trial that takes as long has failed',
    }),
  }),
  ({ min_requests, window_size }) =>
    min_requests > window_size ? 'takes min_requests up to window_size' : undefined,
);

/** The rules of one circuit. */
export type CircuitRules = ValueOf<typeof circuit>;

/** A circuit for each subgraph; undefined where the section is absent. */
export const circuitBreaker = section({
  all: key(circuit, {
    default: {},
    note: 'For each subgraph that has no entry of its own. A process counts for itself',
  }),
  subgraphs: key(mapOf(circuit), {
    default: {},
    note: 'For one subgraph, instead of `all`: a key that is absent here has its default',
  }),
});
