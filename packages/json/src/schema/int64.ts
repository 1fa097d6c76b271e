import { schemaError } from './schema-error.ts';
import type { Schema } from './schema.ts';

const int64Min = -(2n ** 63n);
const int64Max = 2n ** 63n - 1n;

export interface Int64Options {
  /** -2^63 when absent. */
  readonly minimum?: bigint;
  /** 2^63-1 when absent. */
  readonly maximum?: bigint;
  readonly description?: string;
  readonly examples?: readonly bigint[];
}

/** A JSON integer that fits 64 bits, digit for digit. */
export function int64({
  minimum = int64Min,
  maximum = int64Max,
  ...annotations
}: Int64Options = {}): Schema<bigint> {
  return {
    read(json, path = '') {
      if (typeof json !== 'bigint') {
        throw schemaError(path, 'is not an integer');
      }
      return within(json, { minimum, maximum }, path);
    },
    write: String,
    schema: () => ({ type: 'integer', format: 'int64', minimum, maximum, ...annotations }),
  };
}

/** The same as a string, for clients without 64-bit integers. */
export function decimalInt64(
  annotations: { readonly description?: string; readonly examples?: readonly string[] } = {},
): Schema<bigint> {
  return {
    read(json, path = '') {
      if (typeof json !== 'string' || !decimalPattern.test(json)) {
        throw schemaError(path, 'is not a string with a decimal integer');
      }
      return within(BigInt(json), { minimum: int64Min, maximum: int64Max }, path);
    },
    write: (value) => `"${value}"`,
    schema: () => ({ type: 'string', pattern: decimalPattern.source, ...annotations }),
  };
}

/** As many digits as a 64-bit integer can have; no leading zero, no `-0`. */
const decimalPattern = /^(?:0|-?[1-9][0-9]{0,18})$/u;

function within(
  value: bigint,
  { minimum, maximum }: { minimum: bigint; maximum: bigint },
  path: string,
): bigint {
  if (value < minimum) {
    throw schemaError(path, `is below ${minimum}`);
  }
  if (value > maximum) {
    throw schemaError(path, `is above ${maximum}`);
  }
  return value;
}
