import { setTimeout as delay } from 'node:timers/promises';

import type { StopSignal } from '@meridian/cancellation';
import { DatabaseError, Pool, TypeOverrides, types } from 'pg';
import type { PoolClient } from 'pg';

import { requestCancel } from './cancel-request.ts';
import { classifyAbort, classifyConnectFailure } from '../errors/classify-error.ts';
import { OutcomeUnknown } from '../errors/store-errors.ts';
import { createFairQueue, noTenant } from './fair-queue.ts';
import type { Turn } from './fair-queue.ts';
import { createOwnIterations } from './own-iteration.ts';
import { utcTime } from './utc-time.ts';

/** The address of the store, and limits on its use. */
export interface ConnectionPoolOptions {
  readonly url: string;
  readonly applicationName: string;
  readonly poolSize: number;
  readonly statementTimeoutMs: number;
  /** Called when an idle connection is lost; another replaces it when needed. */
  readonly onLostConnection: (error: Error) => void;
}

/** The terms of the use of a connection. */
export interface ConnectionUse {
  /** The tenant that waits for a connection. Tenants take turns, however many connections one of them requests. */
  readonly tenantId: string | undefined;
  /** Aborts at the caller's deadline, or when the caller no longer waits. */
  readonly signal: StopSignal | undefined;
  /** Called when the signal aborts. True if a sent statement may have changed something, or still may. */
  readonly mayHaveWritten: () => boolean;
}

/** Connections to the store, each used for one piece of work at a time. */
export interface ConnectionPool {
  /**
   * Runs `use` with a connection, and releases it when it is usable again: the server has responded to everything, and
   * no cancel request is under way, which could hit the next statement. The signal covers the wait for a connection as
   * well. When it aborts, the running statement is cancelled in the server, and the call rejects: at once, or, if it may
   * have written, when its outcome is known, 50 ms later at most.
   *
   * @throws {StoreTimeout}, {StoreUnavailable} or {OutcomeUnknown}, unless `use` itself fails
   */
  withConnection<Result>(terms: ConnectionUse, use: (client: PoolClient) => Promise<Result>): Promise<Result>;
  /** Ends all connections; those in use end when they are released. Closing again waits for the same end. */
  close(): Promise<void>;
}

/** The longest wait for a connection, for a caller without a deadline. */
const connectTimeoutMs = 10_000;
/** The share of the connections that one tenant may use, so that its locks and slow statements leave some to others. */
const maxTenantShare = 0.8;
/** The time in which a server must respond to a cancel request before the connection is destroyed. */
const cancelTimeoutMs = 5000;

/** The time for which a write that is cancelled waits beyond its deadline for its outcome. */
const confirmMs = 50;

/** Opens connections when they are first needed. */
export function createConnectionPool(options: ConnectionPoolOptions): ConnectionPool {
  const pool = new Pool({
    connectionString: options.url,
    application_name: options.applicationName,
    max: options.poolSize,
    statement_timeout: options.statementTimeoutMs,
    // A process that hangs in the middle of a transaction must not keep its locks.
    idle_in_transaction_session_timeout: options.statementTimeoutMs,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    pipeline: true,
    types: valueTypes(),
  });
  pool.on('error', options.onLostConnection);
  // A client in use reports a lost connection to its statement and by this event. Without a listener, the event would
  // end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));

  const turns = createFairQueue(options.poolSize, Math.ceil(options.poolSize * maxTenantShare));
  const ownIteration = createOwnIterations();
  const holders = new WeakMap<PoolClient, Turn>();
  const connectInTurn = async (tenantId: string, abort: AbortWatch): Promise<PoolClient> => {
    const turn = await turns.take(tenantId);
    try {
      const client = await connectWhenFree(pool, abort);
      holders.set(client, turn);
      return client;
    } catch (error) {
      turns.release(turn);
      throw error;
    }
  };
  pool.on('release', (_error, client) => {
    const turn = holders.get(client);
    // The pool also releases a connection that was opened too late for its caller.
    if (turn !== undefined) {
      holders.delete(client);
      turns.release(turn);
    }
  });

  let closing: Promise<void> | undefined;
  return {
    async withConnection({ tenantId = noTenant, signal, mayHaveWritten }, use) {
      const abort = watchAbort(signal);
      try {
        const client = await acquire(() => connectInTurn(tenantId, abort), abort);
        if (signal?.aborted === true) {
          release(client);
          throw classifyAbort(signal, false);
        }
        const using = use(client);
        if (await abort.comesAfter(using)) {
          const turn = holders.get(client);
          release(client, abort.failure);
          if (turn?.isPaced === true) {
            await ownIteration();
          }
          return await using;
        }
        void cancelAndRelease(client, using);
        const aborted = classifyAbort(signal, mayHaveWritten());
        // Most servers respond to the cancel request at once, and then the outcome is known.
        if (
          aborted instanceof OutcomeUnknown &&
          (await watchAbort(AbortSignal.timeout(confirmMs)).comesAfter(using))
        ) {
          return await using;
        }
        throw aborted;
      } finally {
        abort.stopWatching();
      }
    },
    close: () => (closing ??= pool.end()),
  };
}

/** A server that has no connection left for the role is asked again: one of the pool's own comes free, or another's. */
async function connectWhenFree(pool: Pool, abort: AbortWatch): Promise<PoolClient> {
  const deadline = performance.now() + connectTimeoutMs;
  for (;;) {
    try {
      return await pool.connect();
    } catch (error) {
      const isFull = error instanceof DatabaseError && error.code === '53300';
      if (!isFull || abort.signal?.aborted === true || performance.now() > deadline) {
        throw error;
      }
      abort.rejection = error;
      // A random time: attempts at the same moment are in each other's way.
      await delay(Math.random() * 200);
    }
  }
}

async function acquire(connect: () => Promise<PoolClient>, abort: AbortWatch): Promise<PoolClient> {
  const { signal } = abort;
  if (signal?.aborted === true) {
    throw classifyAbort(signal, false);
  }
  const acquiring = connect();
  if (await abort.comesAfter(acquiring)) {
    return acquiring.catch((error: unknown) => {
      throw classifyConnectFailure(error);
    });
  }
  // Its turn still comes; it then passes the connection to the next one.
  acquiring.then(release, () => undefined);
  throw classifyAbort(signal, false, abort.rejection);
}

/** Compares the time of an abort with the time of other events, one after another. */
interface AbortWatch {
  readonly signal: StopSignal | undefined;
  /** Waits for a promise to settle or for the signal to abort. Resolves to true if the promise came first. */
  comesAfter(work: Promise<unknown>): Promise<boolean>;
  /** The error of work that came first and failed. */
  failure: unknown;
  /** The error of a server that had no connection left. */
  rejection: unknown;
  stopWatching(): void;
}

/** One listener for a whole use of a connection: listeners of signals are not cheap. */
function watchAbort(signal: StopSignal | undefined): AbortWatch {
  let stopWaiting: (() => void) | undefined;
  const onAbort = (): void => stopWaiting?.();
  signal?.addEventListener('abort', onAbort);
  const watch: AbortWatch = {
    signal,
    failure: undefined,
    rejection: undefined,
    async comesAfter(work) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      work.then(
        () => resolve(true),
        (error: unknown) => {
          watch.failure = error;
          resolve(true);
        },
      );
      stopWaiting = () => resolve(false);
      if (signal?.aborted === true) {
        resolve(false);
      }
      return promise;
    },
    stopWatching: () => signal?.removeEventListener('abort', onAbort),
  };
  return watch;
}

/**
 * A connection inside a transaction, or in the middle of a result, cannot be reused. One to a server that has become a
 * standby should not be: the next one leads to the server that takes writes.
 */
function release(client: PoolClient, failure?: unknown): void {
  const isReadOnly = failure instanceof DatabaseError && failure.code === '25006';
  if (client.getTransactionStatus() === 'I' && !isReadOnly) {
    client.release();
  } else {
    destroy(client);
  }
}

async function cancelAndRelease(client: PoolClient, using: Promise<unknown>): Promise<void> {
  const timeout = AbortSignal.timeout(cancelTimeoutMs);
  const settled = Promise.allSettled([requestCancel(client, timeout), using]);
  const isUsable =
    (await watchAbort(timeout).comesAfter(settled)) && (await settled)[0].status === 'fulfilled';
  if (isUsable) {
    release(client);
  } else {
    destroy(client);
  }
}

/** Destroys the socket: `client.end()` would wait for an unresponsive server. */
function destroy(client: PoolClient): void {
  client.connection.stream.destroy();
  client.release(true);
}

/**
 * Converts column values to JavaScript: `bigint` becomes a BigInt, since a number cannot hold 64 bits. Times
 * stay text: a Date loses microseconds, and a page that continues from it skips or repeats rows. `numeric` is
 * text already.
 */
function valueTypes(): TypeOverrides {
  const overrides = new TypeOverrides();
  const { INT8, TIMESTAMPTZ, TIMESTAMP, DATE } = types.builtins;
  overrides.setTypeParser(INT8, BigInt);
  overrides.setTypeParser(TIMESTAMPTZ, utcTime);
  overrides.setTypeParser(TIMESTAMP, String);
  overrides.setTypeParser(DATE, String);
  return overrides;
}
