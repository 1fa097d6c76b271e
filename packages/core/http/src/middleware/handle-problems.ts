import type { IncomingMessage, ServerResponse } from 'node:http';

import { Problem, problem } from '@meridian/problem-details';
import type { Metrics } from '@meridian/telemetry';

import { peekRequestContext } from '../exchange/request-context.ts';
import { ClientDisconnected, DeadlineExceeded } from '../exchange/early-end.ts';
import { peekSignal } from './request-deadline.ts';
import { sendResponse } from '../exchange/http-response.ts';
import type { RenderProblem } from '../exchange/render-problem.ts';

export interface ProblemHandlerOptions {
  readonly renderProblem: RenderProblem;
  readonly metrics: Metrics;
}

/**
 * Responds to an error that a middleware or a handler threw. It works in Express, which recognizes it by its four
 * parameters, and in a plain `node:http` listener.
 */
export type HandleError = (
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
  next: unknown,
) => void;

/**
 * The edge: every failure of a request ends here and is rendered once. A `Problem` is shown unchanged. A passed
 * deadline is 504 `upstream-timeout`. Anything else is a bug or an outage: logged with its cause, shown as `internal`.
 */
export function handleProblems({ renderProblem, metrics }: ProblemHandlerOptions): HandleError {
  return (error, request, response, _next) => {
    const reason = reasonOf(error, request);
    if (reason instanceof ClientDisconnected) {
      // The client is gone; the log line of the request has the status 499.
      response.destroy();
      return;
    }
    const shown = problemFor(reason);
    if (shown.status >= 500 && !isShedLoad(shown)) {
      const log = peekRequestContext(request)?.log;
      log?.error({ err: shown.cause ?? shown, kind: shown.kind }, 'request failed');
    }
    if (response.headersSent) {
      // A part of another response is out. Closing the connection keeps the client from taking it for a complete one.
      response.destroy();
      return;
    }
    metrics.problemsTotal.inc({ kind: shown.kind });
    sendResponse(request, response, renderProblem(shown));
  };
}

/** The thrown error, or the signal's reason if that caused the error. */
function reasonOf(error: unknown, request: IncomingMessage): unknown {
  const isAbort = error instanceof Error && error.name === 'AbortError';
  return isAbort ? (peekSignal(request)?.reason ?? error) : error;
}

/** Rejections under load are not failures, and may be frequent: the log line of the request suffices. */
function isShedLoad({ kind, cause }: Problem): boolean {
  return kind === 'unavailable' && cause === undefined;
}

function problemFor(reason: unknown): Problem {
  if (reason instanceof Problem) {
    return reason;
  }
  return reason instanceof DeadlineExceeded
    ? problem('upstream-timeout', 'The request was not completed within its deadline.', { cause: reason })
    : problem('internal', 'The service failed unexpectedly.', { cause: reason });
}
