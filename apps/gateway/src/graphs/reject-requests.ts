import { composeInterceptors } from '@meridian/executor';
import type { Exchange, HttpResponse, ServeExchange } from '@meridian/http';
import { createLocalRateLimiter } from '@meridian/shared-state';
import type { Logger, Metrics } from '@meridian/telemetry';

import type { GatewayConfig } from '../config/gateway-config.ts';
import { openObservation } from '../explain/observation.ts';
import { createGraphEndpoint } from '../graph-endpoint.ts';
import { cors } from '../interceptors/cors.ts';
import type { GatewayRequest } from '../interceptors/gateway-request.ts';
import { respondToErrors } from '../interceptors/respond-to-errors.ts';
import { throttleRequests } from '../interceptors/throttle.ts';
import { responseMediaType } from '../pipeline/1-receive/media-types.ts';
import { createGraphMetrics } from '../telemetry/graph-metrics.ts';
import { createRequestErrorReport } from '../telemetry/report-request-error.ts';

export interface RejectionsOptions {
  readonly config: GatewayConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Responds to requests that are for no graph, as a graph does: with an id, a log line and metrics. */
export async function createRejections({ config, logger, metrics }: RejectionsOptions) {
  const graphMetrics = createGraphMetrics(metrics);
  const report = createRequestErrorReport({ metrics, graphMetrics });
  const observation = await openObservation({
    config: { ...config, tracing: undefined, metricsPush: undefined, explain: undefined },
    logger,
    metrics,
  });
  const rejected = new WeakMap<Exchange, { readonly error: unknown; readonly isCounted: boolean }>();
  const endpointOf = (current: GatewayConfig): ServeExchange =>
    createGraphEndpoint({
      config: current,
      logger,
      metrics,
      graphMetrics,
      observation,
      handleRequest: composeInterceptors<GatewayRequest, HttpResponse | Promise<HttpResponse>>(
        [
          cors(current.file.cors, []),
          respondToErrors(report),
          throttleRequests(
            { peer: current.throttle.peer && createLocalRateLimiter(current.throttle.peer) },
            current,
          )?.aroundRequest,
        ],
        (request) => {
          const { error, isCounted } = rejected.get(request.exchange) ?? {};
          if (isCounted === true) {
            request.mediaType = responseMediaType(request.exchange.headers.accept);
          }
          throw error;
        },
      ),
    });
  let serve = endpointOf(config);
  return {
    /** @param isCounted true for a request that has cost a verification, which counts against its peer */
    reject(exchange: Exchange, error: unknown, isCounted: boolean): void {
      rejected.set(exchange, { error, isCounted });
      void serve(exchange);
    },
    configure: (next: GatewayConfig): void => void (serve = endpointOf(next)),
  };
}
