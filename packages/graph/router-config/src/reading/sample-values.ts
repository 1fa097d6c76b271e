import type { JsonSchema } from '../declaration/json-schema.ts';
import { memberOf, partOf } from '../declaration/json-schema.ts';
import { invalid } from '../declaration/key-type.ts';
import type { Mapping } from '../declaration/mapping.ts';
import { isMapping } from '../declaration/mapping.ts';
import { Place, showPath } from '../declaration/place.ts';
import type { PathPart } from '../declaration/place.ts';
import type { RouterConfig } from '../sections/router-file.ts';
import { routerFile } from '../sections/router-file.ts';

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
function sampleOf({ default: fallback, examples, enum: words, minimum, type, anyOf }: JsonSchema): unknown {
  return (
    fallback ??
    examples?.[0] ??
    words?.[0] ??
    minimum ??
    samples.get(type) ??
    anyOf?.map(sampleOf).find((sample) => sample !== undefined)
  );
}

/** Each attempt repairs at least one place, and a place at most as often as it has levels. */
const maxAttempts = 100;

/** Marks a value to leave out. */
const absent = Symbol('absent');

/**
 * Reads a document with invalid values as if they were valid, so that the rest of it can be checked: a sample takes the
 * place of each. Where a sample does not help, the enclosing value is left out. Faults of values are not reported again.
 * `faultyPaths` has the places of invalid values.
 */
export function readAroundFaults(document: unknown): {
  readonly config?: RouterConfig;
  readonly faultyPaths?: readonly string[];
} {
  const faulty = new Map<string, readonly PathPart[]>();
  let current = document;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const paths: (readonly PathPart[])[] = [];
    const read = routerFile.read(current, new Place([], [], new Map(), paths));
    if (read !== invalid) {
      return { config: read, faultyPaths: [...faulty.keys()] };
    }
    for (const path of paths) {
      const name = showPath(path);
      const tried = faulty.get(name);
      const repaired = tried === undefined ? path : tried.slice(0, -1);
      faulty.set(name, repaired);
      current = replaced(current, repaired, routerFile.schema, tried !== undefined);
    }
  }
  return {};
}

/** The value with a sample at the path, or without anything there. */
function replaced(
  value: unknown,
  [key, ...path]: readonly PathPart[],
  schema: JsonSchema,
  isLeftOut: boolean,
): unknown {
  if (key === undefined) {
    return isLeftOut ? absent : (sampleOf(schema) ?? '${env.NAME}');
  }
  const member = (held: unknown): unknown => replaced(held, path, memberOf(schema, key) ?? {}, isLeftOut);
  if (Array.isArray(value)) {
    return value
      .map((item: unknown, index) => (index === key ? member(item) : item))
      .filter((item) => item !== absent);
  }
  const { [key]: held, ...others } = isMapping(value) ? value : {};
  const next = member(held);
  return next === absent ? others : { ...others, [key]: next };
}
