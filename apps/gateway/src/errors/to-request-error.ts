import { OperationError, PlannerBusyError } from '@meridian/executor';
import { ClientDisconnected, DeadlineExceeded } from '@meridian/http';
import type { Logger } from '@meridian/telemetry';

import { RequestError, loggedReason, requestError } from './request-error.ts';

/**
 * The request error for any value that a stage threw, with a line in the log. Rethrows it when the client has hung
 * up.
 */
export function toRequestError(error: unknown, log: Logger): RequestError {
  if (error instanceof ClientDisconnected) {
    throw error;
  }
  if (error instanceof RequestError) {
    const { code, cause } = error;
    log.info(
      { code, reason: loggedReason(error), ...(cause !== undefined && { err: cause }) },
      'request rejected',
    );
    return error;
  }
  if (error instanceof OperationError) {
    log.info({ err: error }, 'the operation cannot run');
    return requestError('GRAPHQL_VALIDATION_FAILED', error.message, { cause: error });
  }
  if (error instanceof PlannerBusyError) {
    log.warn({ err: error }, 'request rejected');
    return requestError('SERVICE_OVERLOADED', 'The gateway has too much to do: try again later', {
      headers: { 'Retry-After': '1' },
      cause: error,
    });
  }
  if (error instanceof DeadlineExceeded) {
    log.warn({ err: error }, 'request timed out');
    return requestError('GATEWAY_TIMEOUT', 'The request took too long');
  }
  log.error({ err: error }, 'request failed');
  return requestError('INTERNAL_SERVER_ERROR', 'The gateway failed', { cause: error });
}
