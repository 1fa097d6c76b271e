/** A map of the YAML parser. */
export type Mapping = Readonly<Record<string, unknown>>;

/** A copy of a map, which may be changed. */
export type MutableMapping = Record<string, unknown>;

/** True if a parsed value is a map, not a list or a scalar. */
export function isMapping(value: unknown): value is MutableMapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
