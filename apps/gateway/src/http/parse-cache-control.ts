/** The directives of a `Cache-Control`, each with its value, or an empty one. */
export type Directives = ReadonlyMap<string, string>;

/** RFC 9111 §5.2. Names are case-insensitive, and a value may be quoted. */
export function parseCacheControl(field: string): Directives {
  return new Map(
    field.split(',').map((directive) => {
      const [name = '', value = ''] = directive.trim().split('=', 2);
      return [name.toLowerCase(), value.replaceAll('"', '')];
    }),
  );
}
