import { OperationError, PlannerBusyError } from '@meridian/executor';
import { ClientDisconnected, DeadlineExceeded } from '@meridian/http';
import type { Logger } from '@meridian/telemetry';

import { Refusal, loggableReason, refusal } from './request-error.ts';

/**
 * The refusal that stands for whatever a stage threw, with a line in the log. Throws what the client is not there to be
 * told, again.
 */
export function refusalFor(error: unknown, log: Logger): Refusal {
  if (error instanceof ClientDisconnected) {
    throw error;
  }
  if (error instanceof Refusal) {
    const { code, cause } = error;
    log.info(
      { code, reason: loggableReason(error), ...(cause !== undefined && { err: cause }) },
      'request refused',
    );
    return error;
  }
  if (error instanceof OperationError) {
    log.info({ err: error }, 'operation cannot be run');
    return refusal('GRAPHQL_VALIDATION_FAILED', error.message, { cause: error });
  }
  if (error instanceof PlannerBusyError) {
    log.warn({ err: error }, 'request refused');
    return refusal('SERVICE_OVERLOADED', 'The gateway has too much to do: try again later', {
      headers: { 'Retry-After': '1' },
      cause: error,
    });
  }
  if (error instanceof DeadlineExceeded) {
    log.warn({ err: error }, 'request timed out');
    return refusal('GATEWAY_TIMEOUT', 'The request took too long');
  }
  log.error({ err: error }, 'request failed');
  return refusal('INTERNAL_SERVER_ERROR', 'The gateway failed', { cause: error });
}
