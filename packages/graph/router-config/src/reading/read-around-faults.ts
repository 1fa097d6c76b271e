import type { JsonSchema } from '../declaration/json-schema.ts';
import { memberOf } from '../declaration/json-schema.ts';
import type { RouterConfig } from '../sections/router-file.ts';
import { routerFile } from '../sections/router-file.ts';
import { sampleOf } from './sample-values.ts';
import { isMapping } from '../declaration/mapping.ts';
import { Place, showPath } from '../declaration/place.ts';
import type { PathPart } from '../declaration/place.ts';
import { invalid } from '../declaration/key-type.ts';

/** Each attempt repairs at least one place, and a place at most as often as it has levels. */
const maxAttempts = 100;

/** Marks a value to leave out. */
const absent = Symbol('absent');

export interface ReadAroundFaults {
  readonly config?: RouterConfig;
  /** The places of invalid values. */
  readonly faultyPaths?: readonly string[];
}

/**
 * Reads a document with invalid values as if they were valid, so that the rest of it can be checked: a sample takes the
 * place of each. Where a sample does not help, the enclosing value is left out. Faults of values are not reported again.
 */
export function readAroundFaults(document: unknown): ReadAroundFaults {
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
