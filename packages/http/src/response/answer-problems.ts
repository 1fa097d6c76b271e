import type { IncomingMessage } from 'node:http';

import { Problem, problem } from '@meridian/problem-details';
import type { Metrics } from '@meridian/telemetry';
import type { ErrorRequestHandler } from 'express';

import { peekRequestContext } from '../request/request-context.ts';
import { ClientDisconnected, DeadlineExceeded, peekSignal } from '../request/request-deadline.ts';
import { sendAnswer } from './answer.ts';
import type { RenderProblem } from './problem-answer.ts';

export interface AnswerProblemsOptions {
  readonly renderProblem: RenderProblem;
  readonly metrics: Metrics;
}

/**
 * The edge, where every failure of a request ends and is rendered once. A `Problem` is shown as it is. A deadline that
 * passed is 504 `upstream-timeout`. Anything else is a bug or an outage: logged with its cause, shown as `internal`.
 */
export function answerProblems({ renderProblem, metrics }: AnswerProblemsOptions): ErrorRequestHandler {
  // Express tells an error handler by its four parameters.
  return (error: unknown, request, response, _next) => {
    const log = peekRequestContext(request)?.log;
    const shown = problemFor(error, request);
    if (shown === undefined || response.headersSent) {
      // Nobody is left to answer, or half of another answer is out: all that remains is to end it.
      log?.warn({ err: error }, 'request ended without an answer');
      response.destroy();
      return;
    }
    if (shown.status >= 500) {
      log?.error(
        { err: shown === error ? (shown.cause ?? shown) : error, kind: shown.kind },
        'request failed',
      );
    }
    metrics.problemsTotal.inc({ kind: shown.kind });
    sendAnswer(request, response, renderProblem(shown));
  };
}

/** The problem to show for whatever was thrown; undefined when the client is gone. */
function problemFor(error: unknown, request: IncomingMessage): Problem | undefined {
  const reason: unknown = isAbort(error) ? peekSignal(request)?.reason : error;
  if (reason instanceof ClientDisconnected) {
    return undefined;
  }
  if (reason instanceof Problem) {
    return reason;
  }
  if (reason instanceof DeadlineExceeded) {
    return problem('upstream-timeout', 'The request was not answered within its deadline.', { cause: error });
  }
  return problem('internal', 'The service failed unexpectedly.', { cause: error });
}

/** Whether an operation ended because its signal did, and says so with a generic error instead of the signal's reason. */
function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
