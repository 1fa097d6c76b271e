import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

import { problem } from '@meridian/problem-details';
import type { Problem } from '@meridian/problem-details';
import type { Logger, Metrics } from '@meridian/telemetry';

import { requestIdOf } from '../request/observe-requests.ts';
import { sendAnswer } from '../response/answer.ts';
import type { Answer } from '../response/answer.ts';
import type { RenderProblem } from '../response/problem-answer.ts';

/** Answers one path of the admin listener. */
export type AdminRoute = (request: IncomingMessage) => Answer | Promise<Answer>;

export interface AdminListenerOptions {
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly renderProblem: RenderProblem;
  /** Rejects while the service cannot do its work, for lack of its store, say. Bounded by the signal. */
  readonly isReady: (signal: AbortSignal) => Promise<void>;
  /** More paths, such as the gateway's `/health`. */
  readonly routes?: Readonly<Record<string, AdminRoute>>;
}

/** The longest that a probe waits for `isReady`. */
const readinessTimeoutMs = 1000;

/**
 * What operators and their machines ask, on a port of its own that is never the public one: `GET /livez`, 200 while the
 * process can answer; `GET /readyz`, 503 while it should get no requests; `GET /metrics`, Prometheus text.
 */
export function createAdminListener(options: AdminListenerOptions): RequestListener {
  const { metrics, logger, renderProblem } = options;
  const readiness = createReadiness(options);
  const routes = new Map<string, AdminRoute>([
    ['/livez', () => plainText('alive\n')],
    ['/readyz', readiness],
    [
      '/metrics',
      async () => ({
        status: 200,
        headers: { 'Content-Type': metrics.registry.contentType },
        body: await metrics.registry.metrics(),
      }),
    ],
    ...Object.entries(options.routes ?? {}),
  ]);
  const answerTo = async (request: IncomingMessage): Promise<Answer> => {
    const route = routes.get(request.url?.split('?', 1)[0] ?? '');
    if (route === undefined) {
      return renderProblem(problem('route-not-found', 'The admin listener has no such path.'));
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return renderProblem(methodNotAllowed(request));
    }
    return await route(request);
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const requestId = requestIdOf(response);
    try {
      sendAnswer(request, response, await answerTo(request));
    } catch (error) {
      logger.error({ err: error, requestId }, 'admin request failed');
      sendAnswer(request, response, renderProblem(problem('internal', 'The service failed unexpectedly.')));
    }
  };
  return (request, response) => void answer(request, response);
}

/** Probes come every few seconds: the log has a line for each change, not for each of them. */
function createReadiness({ isReady, renderProblem, logger }: AdminListenerOptions): AdminRoute {
  let lastReason: string | undefined;
  return async () => {
    const reason = await reasonAgainst(isReady);
    if (reason !== undefined && reason !== lastReason) logger.info({ reason }, 'not ready');
    lastReason = reason;
    return reason === undefined
      ? plainText('ready\n')
      : renderProblem(problem('unavailable', 'The service is not ready.'));
  };
}

/** Why the service should get no requests; undefined where it should. */
async function reasonAgainst(isReady: AdminListenerOptions['isReady']): Promise<string | undefined> {
  const signal = AbortSignal.timeout(readinessTimeoutMs);
  const timedOut = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  try {
    await Promise.race([isReady(signal), timedOut]);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function methodNotAllowed(request: IncomingMessage): Problem {
  return problem('method-not-allowed', `This path does not support ${request.method}.`, {
    headers: { Allow: 'GET, HEAD' },
  });
}

function plainText(body: string): Answer {
  return {
    status: 200,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
    body,
  };
}
