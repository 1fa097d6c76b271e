import { TypeOverrides, types } from 'pg';

/**
 * How column values become JavaScript values: `bigint` becomes a BigInt, for 64 bits are more than a number holds;
 * dates and times stay text, for a Date loses microseconds and a page that continues from it skips or repeats rows.
 * `numeric` is text already.
 */
export function valueTypes(): TypeOverrides {
  const overrides = new TypeOverrides();
  const { INT8, TIMESTAMPTZ, TIMESTAMP, DATE } = types.builtins;
  overrides.setTypeParser(INT8, BigInt);
  for (const timeType of [TIMESTAMPTZ, TIMESTAMP, DATE]) {
    overrides.setTypeParser(timeType, asText);
  }
  return overrides;
}

function asText(value: string): string {
  return value;
}
