/** A map as the YAML parser gives it. */
export type Mapping = Readonly<Record<string, unknown>>;

/** The same, where it is one's own copy. */
export type MutableMapping = Record<string, unknown>;

/** True when a parsed value is a map, not a list or a scalar. */
export function isMapping(value: unknown): value is MutableMapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
