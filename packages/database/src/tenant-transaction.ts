import type { PoolClient, QueryResult } from 'pg';

import { classifyFailure } from './classify-error.ts';
import { statementOf } from './statement.ts';
import type { BuiltQuery } from './statement.ts';
import { beginAsTenant } from './tenant-statement.ts';

/** An open transaction that sees and changes one tenant's rows. */
export interface TenantTransaction {
  /** Runs what knex has built. */
  run<Row extends object>(query: BuiltQuery): Promise<Row[]>;
  /** Runs SQL with `$1` placeholders. */
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** The progress of a transaction: until its commit is sent, it has certainly changed nothing. */
export interface TransactionProgress {
  isCommitting: boolean;
}

/**
 * Runs `work` between begin and commit. Whatever it throws rolls the transaction back.
 *
 * @param progress is kept up to date, for a caller that stops waiting
 */
export async function runTransaction<Result>(
  client: PoolClient,
  tenantId: string,
  work: (transaction: TenantTransaction) => Promise<Result>,
  progress: TransactionProgress,
  signal: AbortSignal | undefined,
): Promise<Result> {
  const transaction = openTransaction(client, signal);
  try {
    await Promise.all(beginAsTenant(tenantId, false).map((statement) => transaction.send(statement)));
    const result = await work(transaction);
    transaction.end();
    // Past this line, a caller that stopped waiting already knows that nothing was changed.
    signal?.throwIfAborted();
    progress.isCommitting = true;
    await commit(client, transaction);
    return result;
  } catch (error) {
    transaction.end();
    // Also where there may be nothing to roll back: its answer brings what pg knows of the connection up to date. Where it
    // fails, the connection is given to nobody else.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

interface OpenTransaction extends TenantTransaction {
  send<Row extends object>(sql: string, values?: readonly unknown[]): Promise<QueryResult<Row>>;
  firstFailure(): unknown;
  end(): void;
}

function openTransaction(client: PoolClient, signal: AbortSignal | undefined): OpenTransaction {
  let isOver = false;
  let firstFailure: unknown;

  async function send<Row extends object>(
    sql: string,
    values: readonly unknown[] = [],
  ): Promise<QueryResult<Row>> {
    signal?.throwIfAborted();
    if (isOver) {
      throw new Error('A statement was given to a transaction that is over');
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
  // PostgreSQL answers so, without an error, when a statement had failed and the work went on regardless.
  if (response !== 'COMMIT') {
    throw transaction.firstFailure() ?? new Error('The transaction was rolled back at its commit');
  }
}
