import type { JsonSchema } from '../declaration/json-schema.ts';
import { memberOf, partOf } from '../declaration/json-schema.ts';
import { invalid } from '../declaration/key-type.ts';
import type { Mapping } from '../declaration/mapping.ts';
import { isMapping } from '../declaration/mapping.ts';

/**
 * Replaces each `invalid` value by one that its key takes: the key's default, else an example, else, if the key takes
 * any text, the file's own `${env.NAME}`. So the rest of a file can be checked without its variables.
 */
export function withSamples(expanded: Mapping, written: Mapping, schema: JsonSchema): Mapping {
  return Object.fromEntries(
    Object.entries(expanded).map(([key, value]) => [
      key,
      sampled(value, written[key], memberOf(schema, key) ?? {}),
    ]),
  );
}

function sampled(value: unknown, written: unknown, schema: JsonSchema): unknown {
  if (value === invalid) {
    return sampleOf(schema) ?? written;
  }
  if (Array.isArray(value)) {
    const items = partOf(schema, 'items') ?? {};
    return value.map((item: unknown, index) =>
      sampled(item, Array.isArray(written) ? written[index] : undefined, items),
    );
  }
  return isMapping(value) && isMapping(written) ? withSamples(value, written, schema) : value;
}

/** Samples by the type of a schema. */
const samples = new Map<unknown, unknown>([
  ['array', []],
  ['boolean', false],
  ['integer', 1],
  ['number', 1],
  ['object', {}],
]);

/** A value that the schema takes; undefined for any text. */
export function sampleOf({
  default: fallback,
  examples,
  enum: words,
  minimum,
  type,
  anyOf,
}: JsonSchema): unknown {
  return (
    fallback ??
    examples?.[0] ??
    words?.[0] ??
    minimum ??
    samples.get(type) ??
    anyOf?.map(sampleOf).find((sample) => sample !== undefined)
  );
}
