// The loaders that most resolvers need, for rows that a store finds by a list of keys.
import { createTenantLoader } from './tenant-loader.ts';
import type { TenantLoader, TenantScope } from './tenant-loader.ts';

/** Finds the rows of these keys of one tenant, in any order; none for a missing key. */
export type FindRows<Row> = (
  tenantId: string,
  keys: readonly string[],
  signal: AbortSignal,
) => Promise<readonly Row[]>;

/** Creates a loader of rows by identifier. A missing row is null. */
export function loaderById<Row extends { readonly id: string }>(
  name: string,
  scope: TenantScope,
  findRows: FindRows<Row>,
): TenantLoader<string, Row> {
  return loaderByKey(name, scope, findRows, ({ id }) => id);
}

/** Creates a loader of rows by a unique key. A missing row is an explicit null. Spec: Execution rules, rule 7. */
export function loaderByKey<Row>(
  name: string,
  scope: TenantScope,
  findRows: FindRows<Row>,
  keyOf: (row: Row) => string,
): TenantLoader<string, Row> {
  return createTenantLoader(name, scope, async (tenantId, keys, signal) => {
    const rows = await findRows(tenantId, keys, signal);
    const rowByKey = new Map(rows.map((row) => [keyOf(row), row]));
    return keys.map((key) => rowByKey.get(key) ?? null);
  });
}

/**
 * Creates a loader of all rows of a key, in the order in which they were found. A key without rows has an empty list.
 */
export function listLoaderByKey<Row>(
  name: string,
  scope: TenantScope,
  findRows: FindRows<Row>,
  keyOf: (row: Row) => string,
): TenantLoader<string, Row[]> {
  return createTenantLoader(name, scope, async (tenantId, keys, signal) => {
    const rowsByKey = Map.groupBy(await findRows(tenantId, keys, signal), keyOf);
    return keys.map((key) => rowsByKey.get(key) ?? []);
  });
}
