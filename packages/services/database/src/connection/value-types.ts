import { TypeOverrides, types } from 'pg';

import { utcTime } from './utc-time.ts';

/**
 * Converts column values to JavaScript: `bigint` becomes a BigInt, since a number cannot hold 64 bits. Times
 * stay text: a Date loses microseconds, and a page that continues from it skips or repeats rows. `numeric` is
 * text already.
 */
export function valueTypes(): TypeOverrides {
  const overrides = new TypeOverrides();
  const { INT8, TIMESTAMPTZ, TIMESTAMP, DATE } = types.builtins;
  overrides.setTypeParser(INT8, BigInt);
  overrides.setTypeParser(TIMESTAMPTZ, utcTime);
  overrides.setTypeParser(TIMESTAMP, asText);
  overrides.setTypeParser(DATE, asText);
  return overrides;
}

function asText(value: string): string {
  return value;
}
