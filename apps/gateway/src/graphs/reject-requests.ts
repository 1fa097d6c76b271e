import { composeInterceptors } from '@meridian/executor';
import type { Exchange, HttpResponse } from '@meridian/http';
import type { Logger, Metrics } from '@meridian/telemetry';

import type { GatewayConfig } from '../config/gateway-config.ts';
import { openObservation } from '../explain/observation.ts';
import { createGraphEndpoint } from '../graph-endpoint.ts';
import { cors } from '../interceptors/cors.ts';
import type { GatewayRequest } from '../interceptors/gateway-request.ts';
import { respondToErrors } from '../interceptors/respond-to-errors.ts';
import { createGraphMetrics } from '../telemetry/graph-metrics.ts';
import { createRequestErrorReport } from '../telemetry/report-request-error.ts';

export interface RejectionsOptions {
  readonly config: GatewayConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Responds to requests that are for no graph, as a graph does: with an id, a log line and metrics. */
export async function createRejections({
  config,
  logger,
  metrics,
}: RejectionsOptions): Promise<(exchange: Exchange, error: unknown) => void> {
  const graphMetrics = createGraphMetrics(metrics);
  const errors = new WeakMap<Exchange, unknown>();
  const serve = createGraphEndpoint({
    config,
    logger,
    metrics,
    graphMetrics,
    observation: await openObservation({
      config: { ...config, tracing: undefined, metricsPush: undefined, explain: undefined },
      logger,
      metrics,
    }),
    handleRequest: composeInterceptors<GatewayRequest, HttpResponse | Promise<HttpResponse>>(
      [cors(config.file.cors, []), respondToErrors(createRequestErrorReport({ metrics, graphMetrics }))],
      ({ exchange }) => {
        throw errors.get(exchange);
      },
    ),
  });
  return (exchange, error) => {
    errors.set(exchange, error);
    void serve(exchange);
  };
}
