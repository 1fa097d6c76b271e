import type { StopSignal } from '@meridian/cancellation';
import type { Logger } from '@meridian/telemetry';

import { createConnectionPool } from './connection/connection-pool.ts';
import { classifyFailure, isWorthAnotherAttempt, classifyAbort } from './errors/classify-error.ts';
import { ConnectionLost } from './errors/store-errors.ts';
import { statementOf } from './statement/statement.ts';
import type { BuiltQuery } from './statement/statement.ts';
import { runAsTenant } from './statement/tenant-statement.ts';
import { runTransaction } from './statement/tenant-transaction.ts';
import type { TenantTransaction, TransactionProgress } from './statement/tenant-transaction.ts';

/** The address of the store, and its use by a service. */
export interface DatabaseOptions {
  /** `postgresql://…`, with the service's role. */
  readonly url: string;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  readonly poolSize: number;
  /**
   * The server cancels a statement after this time, and ends a transaction that is idle for as long. Shorter than a
   * request's deadline, so that most outcomes are known.
   */
  readonly statementTimeoutMs: number;
  readonly logger: Pick<Logger, 'warn'>;
  /** Called after each call of `query`, `asTenant` and `transactionAsTenant`. */
  readonly onCall?: (call: DatabaseCall) => void;
}

/** The result of a call. */
export interface DatabaseCall {
  readonly kind: 'query' | 'transaction';
  /** Includes the wait for a connection and all attempts. */
  readonly durationMs: number;
  /** The error of a rejected call; undefined after a success. */
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
  readonly signal?: StopSignal | undefined;
  /**
   * True for a statement that changes nothing. It is sent again when its connection is lost, which is never
   * OutcomeUnknown. Detected for a query builder's select. Default for text: false.
   */
  readonly readOnly?: boolean;
}

/**
 * Runs statements in a database. Every function rejects with StoreTimeout, StoreUnavailable or OutcomeUnknown for a
 * fault of the store, and with PostgreSQL's own error for a fault of the statement.
 */
export interface Statements {
  /**
   * Runs one statement in one round trip, without a tenant: row-level security shows it no tenant's rows, unless it
   * calls a function that sets the tenant.
   */
  query<Row extends object>(sql: string, values?: readonly unknown[], options?: QueryOptions): Promise<Row[]>;
  /** Runs one statement as a tenant, in a transaction of its own, in one round trip. */
  asTenant<Row extends object>(
    tenantId: string,
    query: BuiltQuery,
    options?: Omit<QueryOptions, 'tenantId'>,
  ): Promise<Row[]>;
  /**
   * Runs several statements as a tenant in one transaction. `work` runs again, ten times at most, after a conflict
   * with another transaction. So a rollback must undo everything that it does.
   */
  transactionAsTenant<Result>(
    tenantId: string,
    work: (transaction: TenantTransaction) => Promise<Result>,
    options?: Pick<QueryOptions, 'signal'>,
  ): Promise<Result>;
  /** Resolves when the store responds. */
  ping(options?: Pick<QueryOptions, 'signal'>): Promise<void>;
  /** Ends all connections, each after its current work. */
  close(): Promise<void>;
}

/** Connects to a database, when a connection is first needed. */
export function connectStatements(options: DatabaseOptions): Statements {
  const pool = createConnectionPool({
    ...options,
    // Without the error itself, because the pool attaches the whole connection to it.
    onLostConnection: ({ message }) =>
      options.logger.warn({ reason: message }, 'an idle database connection was lost'),
  });

  const run = createRun(options.onCall);

  function query<Row extends object>(
    sql: string,
    values: readonly unknown[] = [],
    { tenantId, signal, readOnly = false }: QueryOptions = {},
  ): Promise<Row[]> {
    const attempt = (): Promise<Row[]> =>
      pool.withConnection({ tenantId, signal, mayHaveWritten: () => !readOnly }, async (client) => {
        try {
          return (await client.query<Row>(sql, [...values])).rows;
        } catch (error) {
          throw classifyFailure(error, !readOnly);
        }
      });
    return run('query', attempt, signal);
  }

  return {
    query,
    asTenant(tenantId, built, { signal, readOnly } = {}) {
      const statement = statementOf(built, readOnly);
      const use = { tenantId, signal, mayHaveWritten: () => !statement.isReadOnly };
      return run(
        'query',
        () => pool.withConnection(use, (client) => runAsTenant(client, tenantId, statement)),
        signal,
      );
    },
    transactionAsTenant(tenantId, work, { signal } = {}) {
      const attempt = (): ReturnType<typeof work> => {
        const progress: TransactionProgress = { isCommitting: false };
        return pool.withConnection(
          { tenantId, signal, mayHaveWritten: () => progress.isCommitting },
          (client) => runTransaction(client, tenantId, work, progress, signal),
        );
      };
      return run('transaction', attempt, signal);
    },
    async ping({ signal } = {}) {
      await query('select 1', [], { signal, readOnly: true });
    },
    close: () => pool.close(),
  };
}

/** Runs a call with its attempts, and reports its result. */
type Run = <Result>(
  kind: DatabaseCall['kind'],
  attempt: () => Promise<Result>,
  signal: StopSignal | undefined,
) => Promise<Result>;

function createRun(onCall: DatabaseOptions['onCall']): Run {
  return async (kind, attempt, signal) => {
    const startedMs = performance.now();
    let error: unknown;
    try {
      return await retryTransaction(attempt, signal);
    } catch (failure) {
      error = failure;
      throw failure;
    } finally {
      onCall?.({ kind, durationMs: performance.now() - startedMs, error });
    }
  };
}

/** Of a statement under an operator's REPEATABLE READ, each of a queue for one row fails but the first. */
const maxAttempts = 10;
const maxLostConnections = 3;

/** Runs a whole transaction, and again if the server rolled it back in favour of another one, or lost its connection. */
async function retryTransaction<Result>(
  run: () => Promise<Result>,
  signal: StopSignal | undefined,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      const max = error instanceof ConnectionLost ? maxLostConnections : maxAttempts;
      if (attempt >= max || !isWorthAnotherAttempt(error)) {
        throw error;
      }
      await pause(attempt, signal);
    }
  }
}

/** Each waits for a random time, so that two conflicting transactions do not meet again. */
async function pause(attempt: number, signal: StopSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(
    resolve,
    signal?.aborted === true ? 0 : Math.random() * Math.min(10 * 2 ** attempt, 200),
  );
  signal?.addEventListener('abort', resolve);
  await promise;
  clearTimeout(timer);
  signal?.removeEventListener('abort', resolve);
  if (signal?.aborted === true) {
    throw classifyAbort(signal, false);
  }
}
