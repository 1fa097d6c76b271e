import type { PoolClient } from 'pg';

import { meaningOfFailure } from './error-meaning.ts';
import type { Statement } from './statement.ts';

/** Names the tenant for the rest of the transaction: row-level security shows and takes that tenant's rows only. */
export const setTenant = "select set_config('meridian.tenant_id', $1, true)";

/**
 * Runs one statement as a tenant, in a transaction of its own. Its four parts are written without waiting for answers
 * in between, so that they take one round trip.
 */
export async function runAsTenant<Row extends object>(
  client: PoolClient,
  tenantId: string,
  { text, values, isReadOnly }: Statement,
): Promise<Row[]> {
  const [began, named, ran, committed] = await Promise.allSettled([
    client.query(isReadOnly ? 'begin read only' : 'begin'),
    client.query(setTenant, [tenantId]),
    client.query<Row>(text, [...values]),
    client.query('commit'),
  ]);
  // The first failure is the reason of those after it.
  for (const part of [began, named, ran, committed]) {
    if (part.status === 'rejected') {
      throw meaningOfFailure(part.reason, !isReadOnly);
    }
  }
  return ran.status === 'fulfilled' ? ran.value.rows : [];
}
