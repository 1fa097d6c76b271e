/**
 * Puts rows, which a database returns in any order and without the missing ones, into the order of the keys that were
 * asked for. A missing row is an explicit null. Spec: Execution rules, rule 7.
 */
export function inKeyOrder<Row>(
  keys: readonly string[],
  rows: Iterable<Row>,
  keyOf: (row: Row) => string,
): (Row | null)[] {
  const rowByKey = new Map<string, Row>();
  for (const row of rows) {
    rowByKey.set(keyOf(row), row);
  }
  return keys.map((key) => rowByKey.get(key) ?? null);
}

/**
 * Puts the rows of each key into one list, in the order of the keys that were asked for; within a list the rows keep
 * their order. A key without rows has an empty list.
 */
export function listsInKeyOrder<Row>(
  keys: readonly string[],
  rows: Iterable<Row>,
  keyOf: (row: Row) => string,
): Row[][] {
  const rowsByKey = Map.groupBy(rows, keyOf);
  return keys.map((key) => rowsByKey.get(key) ?? []);
}
