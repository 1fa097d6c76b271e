import type { StopSignal } from '@meridian/cancellation';
import type { PoolClient, QueryResult } from 'pg';

import { classifyFailure } from '../errors/classify-error.ts';
import { statementOf } from './statement.ts';
import type { BuiltQuery } from './statement.ts';
import { beginAsTenant } from './tenant-statement.ts';

/** An open transaction that sees and changes one tenant's rows. */
export interface TenantTransaction {
  /** Runs a statement that knex has built. */
  run<Row extends object>(query: BuiltQuery): Promise<Row[]>;
  /** Runs SQL with `$1` placeholders. */
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** The progress of a transaction: until its commit is sent, it has certainly changed nothing. */
export interface TransactionProgress {
  isCommitting: boolean;
}

/**
 * Runs `work` between begin and commit. Any error of `work` rolls the transaction back.
 *
 * @param progress is updated on the way, for a caller that stops waiting
 */
export async function runTransaction<Result>(
  client: PoolClient,
  tenantId: string,
  work: (transaction: TenantTransaction) => Promise<Result>,
  progress: TransactionProgress,
  signal: StopSignal | undefined,
): Promise<Result> {
  const transaction = openTransaction(client, signal);
  try {
    await Promise.all(beginAsTenant(tenantId, false).map((statement) => transaction.send(statement)));
    const result = await work(transaction);
    transaction.end();
    // If the caller has stopped waiting, it knows by now that nothing was changed.
    signal?.throwIfAborted();
    progress.isCommitting = true;
    await commit(client, transaction);
    return result;
  } catch (error) {
    transaction.end();
    // Sent even if there may be nothing to roll back: the response updates pg's view of the connection. If it fails,
    // the connection is not reused.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

interface OpenTransaction extends TenantTransaction {
  send<Row extends object>(sql: string, values?: readonly unknown[]): Promise<QueryResult<Row>>;
  firstFailure(): unknown;
  end(): void;
}

function openTransaction(client: PoolClient, signal: StopSignal | undefined): OpenTransaction {
  let isOver = false;
  let firstFailure: unknown;

  async function send<Row extends object>(
    sql: string,
    values: readonly unknown[] = [],
  ): Promise<QueryResult<Row>> {
    signal?.throwIfAborted();
    if (isOver) {
      throw new Error('A statement was sent to a transaction that is over');
    }
    try {
      return await client.query<Row>(sql, [...values]);
    } catch (error) {
      firstFailure ??= classifyFailure(error, false);
      throw classifyFailure(error, false);
    }
  }

  return {
    send,
    async run<Row extends object>(query: BuiltQuery) {
      const { text, values } = statementOf(query, undefined);
      return (await send<Row>(text, values)).rows;
    },
    async query<Row extends object>(sql: string, values?: readonly unknown[]) {
      return (await send<Row>(sql, values)).rows;
    },
    firstFailure: () => firstFailure,
    end() {
      isOver = true;
    },
  };
}

async function commit(client: PoolClient, transaction: OpenTransaction): Promise<void> {
  let response: string;
  try {
    response = (await client.query('commit')).command;
  } catch (error) {
    throw classifyFailure(error, true);
  }
  // PostgreSQL reports this, without an error, when a statement had failed and `work` went on regardless.
  if (response !== 'COMMIT') {
    throw transaction.firstFailure() ?? new Error('The transaction was rolled back at its commit');
  }
}
