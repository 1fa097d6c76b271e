/** A filter as the one text that a cursor is bound to: the filters that are given, in a fixed order. */
export function filterText(filters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(filters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams(given).toString();
}
