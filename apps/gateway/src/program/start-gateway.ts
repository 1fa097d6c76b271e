import cluster from 'node:cluster';
import { randomBytes } from 'node:crypto';
import process from 'node:process';

import { EnvironmentError } from '@meridian/settings/environment';
import { SupergraphError } from '@meridian/executor';
import type { ListenAddress, RunningService } from '@meridian/http';
import { ListenError, exitOnSignals, runService, stopOnSignals } from '@meridian/http';
import { RouterConfigError } from '@meridian/router-config';
import { ManifestError } from '@meridian/manifest';
import type { Logger } from '@meridian/telemetry';
import { createLogger, createMetrics } from '@meridian/telemetry';

import type { GatewayConfig } from '../config/gateway-config.ts';
import { HooksError } from '../hooks/hooks-error.ts';
import { readConfig, readGraphConfig } from '../config/gateway-config.ts';
import type { Environment } from '../config/gateway-environment.ts';
import { readGatewayEnvironment } from '../config/gateway-environment.ts';
import { openGateway } from '../gateway.ts';
import { openGraphs } from '../graphs/open-graphs.ts';
import { followCertificate } from '../reload/follow-certificate.ts';
import { rejectEmptied } from '../reload/reload-config.ts';
import { RemoteFileError } from '../remote/remote-file-error.ts';
import { Rejections, healthRoute, withHealth, withRejections } from '../http/health-route.ts';
import { createRenderProblem } from '../errors/render-problem.ts';
import { listenForScrapes } from '../telemetry/listen-for-scrapes.ts';
import { logNotes } from '../config/log-notes.ts';
import { sendHeartbeats } from '../workers/heartbeats.ts';
import type { WorkerListening } from '../workers/run-workers.ts';
import { WorkerStartError, runWorkers } from '../workers/run-workers.ts';
import { collectGarbageEarly } from './memory-settings.ts';

/** Faults that the operator can fix: they print one line, not a stack trace. */
const startFaults = [
  EnvironmentError,
  HooksError,
  ListenError,
  ManifestError,
  RemoteFileError,
  RouterConfigError,
  SupergraphError,
];

/** A gateway that has started. */
export interface StartedGateway {
  readonly config: GatewayConfig;
  /** For clients. */
  readonly address: ListenAddress;
  readonly adminAddress: ListenAddress;
}

/** Starts the gateway. If it cannot start, ends the process, started parts included. */
export async function startGateway(env: Environment): Promise<StartedGateway> {
  try {
    return await start(env);
  } catch (error) {
    if (error instanceof WorkerStartError) {
      // A worker that ended by itself has written the reason.
      if (error.signal !== null) {
        process.stderr.write(`${error.message}\n`);
      }
      return process.exit(1);
    }
    if (!(error instanceof Error) || !startFaults.some((fault) => error instanceof fault)) {
      throw error;
    }
    process.stderr.write(`${error.message}${error instanceof ListenError ? remedyOf(error) : ''}\n`);
    return process.exit(1);
  }
}

/** The variables that help: an address of another machine is as wrong at any port. */
function remedyOf({ cause }: ListenError): string {
  const isAddress =
    cause instanceof Error &&
    'code' in cause &&
    /^(?:EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN)$/u.test(String(cause.code));
  return isAddress
    ? '. HOST and ADMIN_HOST choose others'
    : '. PORT, ADMIN_PORT and telemetry.exporters.metrics.prometheus.listen choose others';
}

/** Names the files of the configuration that were empty when the gateway started, to workers that start later. */
const emptyFiles = 'EMPTY_CONFIG_FILES';

async function start(env: Environment): Promise<StartedGateway> {
  const config = readConfig(env);
  if (cluster.isWorker) {
    rejectEmptied(config, env[emptyFiles]?.split('\n') ?? config.emptyPaths);
  }
  const logger = createLogger({ service: 'gateway', level: config.logLevel, format: config.logFormat });
  const { workers, admin } = config;
  const hasStarted = exitOnSignals();
  const running =
    workers > 1 && cluster.isPrimary
      ? await runWorkers({
          workers,
          admin,
          shutdownGraceMs: config.shutdownGraceMs,
          workerTimeoutMs: config.workerTimeoutMs,
          renderProblem: createRenderProblem(logger),
          logger,
          metrics: createMetrics({ service: 'gateway' }),
          env: {
            WEB_CONCURRENCY: String(workers),
            [emptyFiles]: config.emptyPaths.join('\n'),
            // Workers verify each other's callbacks, which the file of a graph may configure.
            ...((config.callbacks !== undefined || config.graphs.length > 0) && {
              CALLBACK_SECRET: readGatewayEnvironment(env).CALLBACK_SECRET ?? randomBytes(32).toString('hex'),
            }),
          },
        })
      : await runGateway(config, env, logger);
  const { scrapes } = config;
  const service =
    scrapes === undefined || cluster.isWorker
      ? running
      : await listenForScrapes(running, {
          scrapes,
          renderProblem: createRenderProblem(logger),
          logger,
          metrics: createMetrics({ service: 'gateway' }),
        });
  stopOnSignals(service, logger);
  hasStarted();
  return { config, address: service.address, adminAddress: service.adminAddress };
}

/** Runs the gateway in this process, which may be one of several workers. */
async function runGateway(config: GatewayConfig, env: Environment, logger: Logger): Promise<RunningService> {
  const readConfigAgain = (): GatewayConfig => readConfig(env);
  collectGarbageEarly();
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
        : openGraphs({
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
