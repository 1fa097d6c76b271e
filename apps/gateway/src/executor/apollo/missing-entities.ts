import type { ResponsePath } from '@meridian/executor';

/** The entities that one fetch requested of one subgraph, with its reply for each. */
export interface AskedEntities {
  /** Where they are, with `@` for the items of a list. */
  readonly path: ResponsePath;
  /** True for each requested entity, in order, that does not exist. */
  readonly isMissing: readonly boolean[];
}

/**
 * The place of an entity that is null because its subgraph says that it does not exist, given the path of a non-null
 * field of it. Undefined where the field is null for another reason.
 *
 * @param data the whole response
 */
export function missingEntityAt(
  fieldPath: ResponsePath,
  fetches: readonly AskedEntities[],
  data: unknown,
): ResponsePath | undefined {
  const place = fieldPath.slice(0, -1);
  const isOfMissing = fetches.some(
    ({ path, isMissing }) => isAt(place, path) && isMissingAt(place, isMissing, placesAt(data, path)),
  );
  return isOfMissing ? place : undefined;
}

/** True when the place itself is null: no ancestor is, and not just a descendant. */
export function isItselfNull(place: ResponsePath, data: unknown): boolean {
  let value = data;
  for (const key of place) {
    if (!isObject(value)) {
      return false;
    }
    value = value[String(key)];
  }
  return value === null;
}

/**
 * The response does not say which places were requested. If there are as many places as requests, all were; otherwise
 * a null in a place is taken for the missing entity.
 */
function isMissingAt(
  place: ResponsePath,
  isMissing: readonly boolean[],
  places: readonly ResponsePath[],
): boolean {
  const index = places.findIndex((one) => isAt(place, one));
  return places.length === isMissing.length ? isMissing[index] === true : true;
}

function isAt(place: ResponsePath, path: ResponsePath): boolean {
  return (
    place.length === path.length &&
    path.every((key, index) => (key === '@' ? typeof place[index] === 'number' : place[index] === key))
  );
}

/** The places of a response at a path with `@`, null ones included. */
function placesAt(value: unknown, [key, ...rest]: ResponsePath): readonly ResponsePath[] {
  if (key === undefined) {
    return [[]];
  }
  if (key === '@') {
    return Array.isArray(value)
      ? value.flatMap((item: unknown, index) => below([index], placesAt(item, rest)))
      : [];
  }
  return isObject(value) ? below([key], placesAt(value[String(key)], rest)) : [];
}

function below(parent: ResponsePath, places: readonly ResponsePath[]): readonly ResponsePath[] {
  return places.map((place) => parent.concat(place));
}

/** True for objects and lists, which a path leads through. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
