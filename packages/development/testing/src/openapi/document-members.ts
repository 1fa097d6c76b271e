export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member of a document at a path of names; undefined if there is none. */
export function memberAt(document: unknown, path: readonly string[]): unknown {
  return path.reduce(
    (value: unknown, name) => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    document,
  );
}
