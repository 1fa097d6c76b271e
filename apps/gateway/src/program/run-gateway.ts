import cluster from 'node:cluster';

import type { RunningService } from '@meridian/http';
import { runService } from '@meridian/http';
import type { Logger } from '@meridian/telemetry';
import { createMetrics } from '@meridian/telemetry';

import type { GatewayConfig } from '../config/gateway-config.ts';
import { readConfig, readGraphConfig } from '../config/gateway-config.ts';
import type { Environment } from '../config/gateway-environment.ts';
import { logNotes } from '../config/log-notes.ts';
import { createRenderProblem } from '../errors/render-problem.ts';
import { openGateway } from '../gateway.ts';
import { Rejections, healthRoute, withHealth, withRejections } from '../http/health-route.ts';
import { followCertificate } from '../reload/follow-certificate.ts';
import { rejectEmptied } from '../reload/reload-config.ts';
import { sendHeartbeats } from '../workers/heartbeats.ts';
import type { WorkerListening } from '../workers/run-workers.ts';
import { allocateTogether, collectGarbageEarly } from './memory-settings.ts';

export interface RunOptions {
  readonly env: Environment;
  readonly logger: Logger;
  /** The files of the configuration that may be empty: they were when the first process started. */
  readonly mayBeEmpty: readonly string[];
}

/**
 * Runs the gateway in this process, which may be one of several workers.
 *
 * @throws {RouterConfigError} where a file has been emptied since the start
 */
export async function runGateway(
  config: GatewayConfig,
  { env, logger, mayBeEmpty }: RunOptions,
): Promise<RunningService> {
  rejectEmptied(config, mayBeEmpty);
  const readConfigAgain = (): GatewayConfig => readConfig(env);
  collectGarbageEarly();
  allocateTogether();
  const metrics = createMetrics({ service: 'gateway', views: config.metricViews });
  logNotes(config, logger);
  const service = await runService({
    name: 'gateway',
    logger,
    metrics,
    listen: config.listen,
    admin: cluster.isWorker ? { host: '127.0.0.1', port: 0, isShared: false } : config.admin,
    renderProblem: createRenderProblem(logger),
    async open(stopping) {
      const options = { config, logger, metrics, stopping };
      const { serve, upgrade, adminRoutes, health, close } = await (config.graphs.length === 0
        ? openGateway({ ...options, readConfig: readConfigAgain })
        : (await import('../graphs/open-graphs.ts')).openGraphs({
            ...options,
            readConfig: readConfigAgain,
            readGraphConfig: (graph) => readGraphConfig(env, graph),
          }));
      const rejections = config.readiness && new Rejections(config.readiness);
      const counted = withRejections(serve, rejections);
      return {
        serve: config.isHealthPublic ? withHealth(counted, config.healthPath, rejections) : counted,
        upgrade,
        // A started gateway always has a supergraph, with the first operations of its manifest planned.
        isReady: () =>
          new Promise((resolve) => {
            rejections?.checkReady();
            resolve();
          }),
        adminRoutes: { ...healthRoute(config.healthPath, health, rejections), ...adminRoutes },
        close,
      };
    },
    shutdownGraceMs: config.shutdownGraceMs,
    maxConnections: config.maxConnections,
    tls: config.tls,
    headLimits: config.headLimits,
    maxHttp2HeadBytes: config.maxHttp2HeadBytes,
    maxReceivingMs: config.maxReceivingMs,
  });
  const { address, adminAddress } = service;
  cluster.worker?.send({ address, adminAddress } satisfies WorkerListening);
  sendHeartbeats();
  return followCertificate({ config, read: readConfigAgain, service, logger });
}
