import { escapeLiteral } from 'pg';
import type { PoolClient } from 'pg';

import { classifyFailure } from '../errors/classify-error.ts';
import type { Statement } from './statement.ts';

/**
 * The statements that open a transaction in which row-level security shows and accepts one tenant's rows only, in
 * order. Each is a message of its own: Citus passes the whole message of a `set local` to its workers, a `begin`
 * included. Neither can take parameters; hence the literal. The isolation is PostgreSQL's default, and stays so where an
 * operator has another one.
 */
export function beginAsTenant(tenantId: string, isReadOnly: boolean): readonly [begin: string, set: string] {
  return [
    isReadOnly ? 'begin isolation level read committed read only' : 'begin isolation level read committed',
    `set local meridian.tenant_id = ${escapeLiteral(tenantId)}`,
  ];
}

/**
 * Runs one statement as a tenant, in a transaction of its own. Its parts are written at once, without waiting for
 * responses in between, so they take one round trip.
 *
 * @throws {StoreTimeout}, {ConnectionLost} or {OutcomeUnknown}, or PostgreSQL's own error for a fault of the statement
 */
export async function runAsTenant<Row extends object>(
  client: PoolClient,
  tenantId: string,
  { text, values, isReadOnly }: Statement,
): Promise<Row[]> {
  const { stream } = client.connection;
  const [begin, set] = beginAsTenant(tenantId, isReadOnly);
  stream.cork();
  const parts = Promise.allSettled([
    client.query(begin),
    client.query(set),
    client.query<Row>(text, [...values]),
    client.query('commit'),
  ]);
  stream.uncork();
  const [begun, wasSet, ran, committed] = await parts;
  // The first failure causes the later ones.
  if (begun.status === 'rejected') {
    throw classifyFailure(begun.reason, !isReadOnly);
  }
  if (wasSet.status === 'rejected') {
    throw classifyFailure(wasSet.reason, !isReadOnly);
  }
  if (ran.status === 'rejected') {
    throw classifyFailure(ran.reason, !isReadOnly);
  }
  if (committed.status === 'rejected') {
    throw classifyFailure(committed.reason, !isReadOnly);
  }
  return ran.value.rows;
}
