import type { StopSignal } from '@meridian/cancellation';

import { tenantNotGiven } from '../citus/required-tenant.ts';
import {
  ConnectionLost,
  OutcomeUnknown,
  StoreTimeout,
  StoreUnavailable,
  WorkerUnavailable,
} from './store-errors.ts';

/**
 * Translates an aborted signal. A deadline is a StoreTimeout, or OutcomeUnknown during a write. A caller that no longer
 * waits gets its own reason back.
 *
 * @param cause of the timeout, where more is known of it than the deadline
 */
export function classifyAbort(
  signal: StopSignal | undefined,
  isOutcomeUnknown: boolean,
  cause: unknown = signal?.reason,
): unknown {
  const reason: unknown = signal?.reason;
  if (reason instanceof Error && lossesOfInterest.has(reason.name)) {
    return reason;
  }
  return isOutcomeUnknown
    ? new OutcomeUnknown('The store did not confirm the write in time', { cause })
    : new StoreTimeout('The store did not respond in time', { cause });
}

/** An AbortController's own reason, and the reason of `@meridian/http` for a client that hung up. */
const lossesOfInterest = new Set(['AbortError', 'ClientDisconnected']);

/** Translates a failure to connect. */
export function classifyConnectFailure(error: unknown): Error {
  // pg-pool has no codes for its two timeouts.
  return error instanceof Error && /timeout/u.test(error.message)
    ? new StoreTimeout('No connection to the store came free in time', { cause: error })
    : new StoreUnavailable('The store cannot be reached', { cause: error });
}

/**
 * Translates a statement's failure. Failures about the statement itself, such as a violated constraint, pass
 * unchanged.
 *
 * @param isOutcomeUnknown true when the statement may have been committed if its connection is lost
 */
export function classifyFailure(error: unknown, isOutcomeUnknown: boolean): unknown {
  const code = codeOf(error);
  if (code === queryCanceled || code === lockNotAvailable) {
    return new StoreTimeout('The store cancelled the statement, which took too long', { cause: error });
  }
  if (code === tenantNotGiven) {
    return new WorkerUnavailable('The tenant has moved to another worker', { cause: error });
  }
  if (!isConnectionLoss(error, code)) {
    return error;
  }
  if (isLostWorker(error) && (!isOutcomeUnknown || isUnreachableWorker(error))) {
    return new WorkerUnavailable('The worker that has the tenant cannot be reached', { cause: error });
  }
  return isOutcomeUnknown
    ? new OutcomeUnknown('The connection was lost before the store confirmed the write', {
        cause: error,
      })
    : new ConnectionLost('The connection to the store was lost', { cause: error });
}

/** True when a transaction was rolled back through no fault of its own, so that a retry may succeed. */
export function isWorthAnotherAttempt(error: unknown): boolean {
  const code = codeOf(error);
  return code === serializationFailure || code === deadlockDetected || error instanceof ConnectionLost;
}

const queryCanceled = '57014';
/** At the `lock_timeout` of an operator, or of the statement. */
const lockNotAvailable = '55P03';
const serializationFailure = '40001';
const deadlockDetected = '40P01';
const statementCompletionUnknown = '40003';
const internalError = 'XX000';

/** Citus's errors about a worker that it could not connect to, or that it lost during a statement or its commit. */
const lostWorker =
  /^(?:connection to the remote node |server closed the connection unexpectedly|could not commit transaction for shard|failure on connection marked as essential|connection not open)/u;

/** Its errors about a worker that it could not connect to, and so sent nothing. */
const unreachableWorker = /^connection to the remote node /u;
const unreachableReasons = [
  'Connection refused',
  'No route to host',
  'Network is unreachable',
  'could not translate host name',
  'the database system is starting up',
  'the database system is shutting down',
  'the database system is in recovery mode',
  'the database system is not yet accepting connections',
];

const isLostWorker = (error: unknown): boolean => error instanceof Error && lostWorker.test(error.message);

const isUnreachableWorker = (error: unknown): boolean =>
  error instanceof Error &&
  unreachableWorker.test(error.message) &&
  error.message.includes(' failed with the following error: ') &&
  unreachableReasons.some((reason) => error.message.includes(reason));

function isConnectionLoss(error: unknown, code: string | undefined): boolean {
  if (code === undefined) {
    return error instanceof Error && lossMessages.test(error.message);
  }
  return (
    (code === internalError && isLostWorker(error)) ||
    code === statementCompletionUnknown ||
    code.startsWith('08') ||
    endedByServer.has(code) ||
    socketErrors.has(code)
  );
}

/** Shutdown, a crash, a dropped database, and the timeouts by which the server ends a connection. */
const endedByServer = new Set(['57P01', '57P02', '57P03', '57P04', '57P05', '25P03', '25P04']);
const socketErrors = new Set([
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
/** pg's own errors, which have no codes. */
const lossMessages = /^Connection terminated|is not queryable$|^Client was closed/u;

/** SQLSTATE for errors of the server, the system's name for errors of a socket. */
function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
