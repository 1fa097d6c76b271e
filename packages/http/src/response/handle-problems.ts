import type { IncomingMessage, ServerResponse } from 'node:http';

import { Problem, problem } from '@meridian/problem-details';
import type { Metrics } from '@meridian/telemetry';

import { peekRequestContext } from '../request/request-context.ts';
import { ClientDisconnected, DeadlineExceeded, peekSignal } from '../request/request-deadline.ts';
import { sendResponse } from './http-response.ts';
import type { RenderProblem } from './render-problem.ts';

export interface ProblemHandlerOptions {
  readonly renderProblem: RenderProblem;
  readonly metrics: Metrics;
}

/** Answers what a stage threw. It fits Express, which tells it by its four parameters, and a plain `node:http` listener alike. */
export type HandleError = (
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
  next: unknown,
) => void;

/**
 * The edge, where every failure of a request ends and is rendered once. A `Problem` is shown as it is. A deadline that
 * passed is 504 `upstream-timeout`. Anything else is a bug or an outage: logged with its cause, shown as `internal`.
 */
export function handleProblems({ renderProblem, metrics }: ProblemHandlerOptions): HandleError {
  return (error, request, response, _next) => {
    const reason = reasonOf(error, request);
    if (reason instanceof ClientDisconnected) {
      // Nobody is left to answer, and the log says so: the request ends as 499.
      response.destroy();
      return;
    }
    const shown = problemFor(reason);
    if (shown.status >= 500 && !isShedLoad(shown)) {
      const log = peekRequestContext(request)?.log;
      log?.error({ err: shown.cause ?? shown, kind: shown.kind }, 'request failed');
    }
    if (response.headersSent) {
      // Half of another answer is out: cut off, it cannot be taken for a whole one.
      response.destroy();
      return;
    }
    metrics.problemsTotal.inc({ kind: shown.kind });
    sendResponse(request, response, renderProblem(shown));
  };
}

/**
 * The thrown error; the signal's reason when an operation ended because of it and reports that with its own
 * error.
 */
function reasonOf(error: unknown, request: IncomingMessage): unknown {
  const isAbort = error instanceof Error && error.name === 'AbortError';
  return isAbort ? (peekSignal(request)?.reason ?? error) : error;
}

/** Shed load is not a failure, and may be frequent: the request's log line has its status. */
function isShedLoad({ kind, cause }: Problem): boolean {
  return kind === 'unavailable' && cause === undefined;
}

function problemFor(reason: unknown): Problem {
  if (reason instanceof Problem) {
    return reason;
  }
  return reason instanceof DeadlineExceeded
    ? problem('upstream-timeout', 'The request was not answered within its deadline.', { cause: reason })
    : problem('internal', 'The service failed unexpectedly.', { cause: reason });
}
