import { TypeOverrides, types } from 'pg';

import { utcTime } from './utc-time.ts';

/**
 * How column values become JavaScript values: `bigint` becomes a BigInt, for 64 bits are more than a number holds.
 * Times stay text, for a Date loses microseconds and a page that continues from it skips or repeats rows. `numeric` is
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
