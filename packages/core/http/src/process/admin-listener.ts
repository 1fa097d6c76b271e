import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

import { Problem, problem } from '@meridian/problem-details';
import type { Logger, Metrics } from '@meridian/telemetry';

import { requestIdOf } from '../exchange/request-context.ts';
import { targetOf } from '../exchange/target.ts';
import { sendResponse } from '../exchange/http-response.ts';
import type { HttpResponse } from '../exchange/http-response.ts';
import type { RenderProblem } from '../exchange/render-problem.ts';

/** Serves one path of the admin listener. */
export type AdminRoute = (request: IncomingMessage) => HttpResponse | Promise<HttpResponse>;

export interface AdminListenerOptions {
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly renderProblem: RenderProblem;
  /**
   * Rejects while the service cannot work, for example without its store; a `Problem` gives the reason. Bounded by the
   * signal.
   */
  readonly isReady: (signal: AbortSignal) => Promise<void>;
  /**
   * More paths, such as the gateway's `/health`.
   *
   * @throws {Problem} while the paths are not known yet
   */
  readonly routes?: () => Readonly<Record<string, AdminRoute>>;
}

/** The longest time that a probe waits for `isReady`. */
const readinessTimeoutMs = 1000;

/**
 * The endpoints for operators, on a port that is never public: `GET /livez`, 200 while the process can
 * respond; `GET /readyz`, 503 while it should receive no requests; `GET /metrics`, Prometheus text.
 */
export function createAdminListener(options: AdminListenerOptions): RequestListener {
  const { metrics, logger, renderProblem } = options;
  const readiness = createReadiness(options);
  const ownRoutes = new Map<string, AdminRoute>([
    ['/livez', () => plainText('alive\n')],
    ['/readyz', readiness],
    [
      '/metrics',
      async () => ({
        status: 200,
        headers: { 'Content-Type': metrics.registry.contentType },
        body: await metrics.expose(),
      }),
    ],
  ]);
  const routeAt = (path: string): AdminRoute | undefined =>
    ownRoutes.get(path) ?? new Map(Object.entries(options.routes?.() ?? {})).get(path);
  const respondTo = async (request: IncomingMessage): Promise<HttpResponse> => {
    const route = routeAt(targetOf(request).path);
    if (route === undefined) {
      return renderProblem(problem('route-not-found', 'The admin listener has no such path.'));
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return renderProblem(methodNotAllowed(request));
    }
    return await route(request);
  };
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const requestId = requestIdOf(response);
    try {
      sendResponse(request, response, await respondTo(request));
    } catch (error) {
      if (!(error instanceof Problem)) {
        logger.error({ err: error, requestId }, 'admin request failed');
      }
      const shown =
        error instanceof Problem ? error : problem('internal', 'The service failed unexpectedly.');
      sendResponse(request, response, renderProblem(shown));
    }
  };
  return (request, response) => void respond(request, response);
}

/** Some reasons differ each time, for example in a port; not all of them are logged. */
const maxReasons = 10;

/** Probes come every few seconds: the log has a line for each reason and for its end, not for each probe. */
function createReadiness({ isReady, renderProblem, logger }: AdminListenerOptions): AdminRoute {
  const reasons = new Set<string>();
  return async () => {
    const failure = await failureOf(isReady);
    if (failure === undefined) {
      if (reasons.size > 0) {
        logger.info('ready again');
      }
      reasons.clear();
      return plainText('ready\n');
    }
    if (!reasons.has(failure.message) && reasons.size < maxReasons) {
      reasons.add(failure.message);
      logger.info({ reason: failure.message }, 'not ready');
    }
    return renderProblem(
      failure instanceof Problem ? failure : problem('unavailable', 'The service is not ready.'),
    );
  };
}

/** The reason why the service should get no requests; undefined when it is ready. */
async function failureOf(isReady: AdminListenerOptions['isReady']): Promise<Error | undefined> {
  const signal = AbortSignal.timeout(readinessTimeoutMs);
  const timedOut = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  try {
    await Promise.race([isReady(signal), timedOut]);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** The problem of a request that neither reads nor asks for the head. */
export function methodNotAllowed(request: Pick<IncomingMessage, 'method'>): Problem {
  return problem('method-not-allowed', `This path does not support ${request.method}.`, {
    headers: { Allow: 'GET, HEAD' },
  });
}

/** A response in text, which no cache keeps. */
export function plainText(body: string, status = 200, headers: HttpResponse['headers'] = {}): HttpResponse {
  return {
    status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store', ...headers },
    body,
  };
}
