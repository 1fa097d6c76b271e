import type { IncomingMessage } from 'node:http';

import { OutcomeUnknown, StoreTimeout, WorkerUnavailable } from '@meridian/database';
import { problem } from '@meridian/problem-details';
import type { ErrorRequestHandler } from 'express';

/**
 * Creates the middleware that translates errors of the store to problems, for all routes of a service. A problem tells
 * the client whether it can repeat its request unchanged. Any other error stays as it is, and is shown as `internal`.
 * Spec: GET, "Lookup deadline exceeded".
 *
 * @param resource the resource that a client reads for the outcome of a write, such as `account`
 */
export function handleStoreErrors(resource: string): ErrorRequestHandler {
  return (error: unknown, request, _response, next) => {
    next(toProblem(error, resource, request));
  };
}

function toProblem(error: unknown, resource: string, request: IncomingMessage): unknown {
  if (error instanceof OutcomeUnknown) {
    return problem('internal', `Outcome unknown; read the ${resource} again.`, { cause: error });
  }
  if (error instanceof StoreTimeout) {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    return problem(
      'upstream-timeout',
      `The store did not respond in time${isRead ? '' : '; nothing was written'}.`,
      { cause: error },
    );
  }
  // The service stays ready, for the tenants of other workers.
  if (error instanceof WorkerUnavailable) {
    return problem('unavailable', 'The store of this tenant is away; nothing was written.', { cause: error });
  }
  return error;
}
