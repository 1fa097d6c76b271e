import type { ResponsePath } from '../../../src/result.ts';
import { isRawNumber } from '../exact-json.ts';

/** An object of the data that the fetches of a run bring together, by plan names. A Map: it inherits no names. */
export type DataObject = Map<string, unknown>;

/** An object of the data, and where it is. */
export interface Target {
  readonly object: DataObject;
  /** By plan names. */
  readonly path: ResponsePath;
}

/** An object as a subgraph sent it. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);
}

/** The name of the type that an object says it has. */
export function typeNameOf(object: DataObject): string | undefined {
  const name = object.get('__typename');
  return typeof name === 'string' ? name : undefined;
}
