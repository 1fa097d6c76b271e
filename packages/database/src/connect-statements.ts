import type { Logger } from '@meridian/telemetry';

import { withAttempts } from './attempts.ts';
import { createConnectionPool } from './connection-pool.ts';
import { classifyFailure } from './classify-error.ts';
import { statementOf } from './statement.ts';
import type { BuiltQuery } from './statement.ts';
import { runAsTenant } from './tenant-statement.ts';
import { runTransaction } from './tenant-transaction.ts';
import type { TenantTransaction, TransactionProgress } from './tenant-transaction.ts';

/** Where the store is, and how a service uses it. */
export interface DatabaseOptions {
  /** `postgresql://…`, of the service's role. */
  readonly url: string;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  readonly poolSize: number;
  /**
   * The server cancels a statement past it, and ends a transaction that is left idle for as long. Less than the request's
   * deadline, so that most answers are certain.
   */
  readonly statementTimeoutMs: number;
  readonly logger: Pick<Logger, 'warn'>;
  /** Called after each call of `query`, `asTenant` and `transactionAsTenant`. */
  readonly onCall?: (call: DatabaseCall) => void;
}

/** The result of a call. */
export interface DatabaseCall {
  readonly kind: 'query' | 'transaction';
  /** The wait for a connection and all attempts included. */
  readonly durationMs: number;
  /** The error that it rejected with; undefined after a success. */
  readonly error: unknown;
}

/** Options for one call. */
export interface QueryOptions {
  /**
   * The tenant of the call. While connections are scarce, tenants take turns. Calls without a tenant count as
   * one tenant.
   */
  readonly tenantId?: string;
  /** Ends the wait for a connection and for the result; a running statement is then cancelled in the database. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The statement changes nothing. It is sent again when its connection was lost, and a loss is never
   * OutcomeUnknown. Detected for a query builder's select. Default for text: false.
   */
  readonly readOnly?: boolean;
}

/**
 * Runs statements in a database. Every function rejects with StoreTimeout, StoreUnavailable or OutcomeUnknown where the store is at
 * fault, and with PostgreSQL's own error where the statement is.
 */
export interface Statements {
  /**
   * Runs one statement in one round trip. As no tenant, so that row-level security shows it no row of any, unless it calls a
   * function that names one.
   */
  query<Row extends object>(sql: string, values?: readonly unknown[], options?: QueryOptions): Promise<Row[]>;
  /** Runs one statement as a tenant, in a transaction of its own, in one round trip. */
  asTenant<Row extends object>(
    tenantId: string,
    query: BuiltQuery,
    options?: Omit<QueryOptions, 'tenantId'>,
  ): Promise<Row[]>;
  /**
   * Runs several statements as a tenant in one transaction. `work` is run again, three times at most, when the server
   * rolled it back for a conflict with another transaction, so it must do nothing that a rollback does not undo.
   */
  transactionAsTenant<Result>(
    tenantId: string,
    work: (transaction: TenantTransaction) => Promise<Result>,
    options?: Pick<QueryOptions, 'signal'>,
  ): Promise<Result>;
  /** Resolves when the store answers. */
  ping(options?: Pick<QueryOptions, 'signal'>): Promise<void>;
  /** Ends all connections, after the work that they do. */
  close(): Promise<void>;
}

/** Connects to a database, when a connection is first needed. */
export function connectStatements(options: DatabaseOptions): Statements {
  const pool = createConnectionPool({
    ...options,
    // Not the error itself, to which the pool has attached all of the connection.
    onLostConnection: ({ message }) =>
      options.logger.warn({ reason: message }, 'an idle database connection was lost'),
  });

  const run = createRun(options.onCall);

  function query<Row extends object>(
    sql: string,
    values: readonly unknown[] = [],
    { tenantId, signal, readOnly = false }: QueryOptions = {},
  ): Promise<Row[]> {
    const lendAndRun = (): Promise<Row[]> =>
      pool.withConnection({ tenantId, signal, mayHaveWritten: () => !readOnly }, async (client) => {
        try {
          return (await client.query<Row>(sql, [...values])).rows;
        } catch (error) {
          throw classifyFailure(error, !readOnly);
        }
      });
    return run('query', lendAndRun, signal);
  }

  return {
    query,
    asTenant(tenantId, built, { signal, readOnly } = {}) {
      const statement = statementOf(built, readOnly);
      const loan = { tenantId, signal, mayHaveWritten: () => !statement.isReadOnly };
      return run(
        'query',
        () => pool.withConnection(loan, (client) => runAsTenant(client, tenantId, statement)),
        signal,
      );
    },
    transactionAsTenant(tenantId, work, { signal } = {}) {
      const lendAndRun = (): ReturnType<typeof work> => {
        const progress: TransactionProgress = { isCommitting: false };
        return pool.withConnection(
          { tenantId, signal, mayHaveWritten: () => progress.isCommitting },
          (client) => runTransaction(client, tenantId, work, progress, signal),
        );
      };
      return run('transaction', lendAndRun, signal);
    },
    async ping({ signal } = {}) {
      await query('select 1', [], { signal, readOnly: true });
    },
    close: () => pool.close(),
  };
}

/** Runs something with its attempts, and reports how it went. */
type Run = <Result>(
  kind: DatabaseCall['kind'],
  attempt: () => Promise<Result>,
  signal: AbortSignal | undefined,
) => Promise<Result>;

function createRun(onCall: DatabaseOptions['onCall']): Run {
  return async (kind, attempt, signal) => {
    const startedMs = performance.now();
    let error: unknown;
    try {
      return await withAttempts(attempt, signal);
    } catch (failure) {
      error = failure;
      throw failure;
    } finally {
      onCall?.({ kind, durationMs: performance.now() - startedMs, error });
    }
  };
}
