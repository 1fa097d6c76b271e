import type { ResponsePath } from '@meridian/executor';

/** The entities that one fetch requested of one subgraph, with its reply for each. */
export interface AskedEntities {
  /** Where they are, with `@` for the items of a list. */
  readonly path: ResponsePath;
  /** Of each that was asked for, in their order, whether there is none. */
  readonly isMissing: readonly boolean[];
}

/**
 * The place of the entity that is null because a subgraph says that there is no such entity, given the path of a field of it
 * that may not be null. Undefined where the field is null for another reason.
 *
 * @param data the whole answer
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
 * The answer does not say which of the places were asked for. Where there are as many, it was all of them; else a null in one
 * of them is taken for the missing entity.
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

/** The places of an answer at a path with `@`, those that are null included. */
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
