import { ExactNumber } from '@meridian/json';

/** An object of the merged data of a run, by plan names. No two places share one. */
export interface DataObject {
  [planName: string]: unknown;
}

/** An object as a subgraph sent it. It may be shared, and is never changed. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** An object's own member, never an inherited one: a field may be called `constructor`. */
export function property(object: JsonObject, name: string): unknown {
  const value = object[name];
  return typeof value === 'function' ? undefined : value;
}

export function isObject(value: unknown): value is DataObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}
