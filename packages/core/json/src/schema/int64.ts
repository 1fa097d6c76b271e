import { schemaError } from './schema-error.ts';
import type { Schema } from './schema.ts';

const int64Min = -(2n ** 63n);
const int64Max = 2n ** 63n - 1n;

export interface Int64Options {
  /** Default: -2^63. */
  readonly minimum?: bigint;
  readonly description?: string;
  readonly examples?: readonly bigint[];
}

/** A JSON integer that fits 64 bits, digit for digit. */
export function int64({ minimum = int64Min, ...annotations }: Int64Options = {}): Schema<bigint> {
  return integer({ minimum, maximum: int64Max, format: 'int64' }, annotations);
}

/** The difference of two 64-bit integers, which may need 65 bits. */
export function int64Difference(
  annotations: Pick<Int64Options, 'description' | 'examples'> = {},
): Schema<bigint> {
  return integer({ minimum: int64Min - int64Max, maximum: int64Max - int64Min }, annotations);
}

function integer(
  {
    minimum,
    maximum,
    format,
  }: { readonly minimum: bigint; readonly maximum: bigint; readonly format?: string },
  annotations: Pick<Int64Options, 'description' | 'examples'>,
): Schema<bigint> {
  return {
    read(json, path = '') {
      if (typeof json !== 'bigint') {
        throw schemaError(path, 'is not an integer');
      }
      return within(json, minimum, maximum, path);
    },
    write: String,
    jsonSchema: () => ({ type: 'integer', format, minimum, maximum, ...annotations }),
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
      return within(BigInt(json), int64Min, int64Max, path);
    },
    write: (value) => `"${value}"`,
    jsonSchema: () => ({ type: 'string', pattern: decimalPattern.source, ...annotations }),
  };
}

/** As many digits as a 64-bit integer can have; no leading zero, no `-0`. */
const decimalPattern = /^(?:0|-?[1-9][0-9]{0,18})$/u;

function within(value: bigint, minimum: bigint, maximum: bigint, path: string): bigint {
  if (value < minimum) {
    throw schemaError(path, `is below ${minimum}`);
  }
  if (value > maximum) {
    throw schemaError(path, `is above ${maximum}`);
  }
  return value;
}
