import type { JsonSchema } from '../declaration/json-schema.ts';
import { partOf } from '../keys/keys-in.ts';
import { invalid } from '../declaration/value-type.ts';
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
      sampled(value, written[key], memberSchema(schema, key)),
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

/** The schema of a member of a map, or of an item of a list. */
export function memberSchema(schema: JsonSchema, key: string | number): JsonSchema {
  if (typeof key === 'number') {
    return partOf(schema, 'items') ?? {};
  }
  const named = partOf(schema, 'additionalProperties');
  return partOf(schema, 'properties')?.[key] ?? (typeof named === 'object' ? named : {});
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
