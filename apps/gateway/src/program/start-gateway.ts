import cluster from 'node:cluster';
import { randomBytes } from 'node:crypto';
import process from 'node:process';

import type { ListenAddress, RunningService } from '@meridian/http';
import { ListenError, exitOnSignals, stopOnSignals } from '@meridian/http';
import type { Logger } from '@meridian/telemetry';
import { createLogger, createMetrics } from '@meridian/telemetry';

import type { GatewayConfig } from '../config/gateway-config.ts';
import { readConfig } from '../config/gateway-config.ts';
import type { Environment } from '../config/gateway-environment.ts';
import { readGatewayEnvironment } from '../config/gateway-environment.ts';
import { createRenderProblem } from '../errors/render-problem.ts';
import { listenForScrapes } from '../telemetry/listen-for-scrapes.ts';
import { WorkerStartError, runWorkers } from '../workers/run-workers.ts';

/**
 * Faults that the operator can fix: they print one line, not a stack trace. By name: most are thrown by what the primary of
 * several workers does not load.
 */
const startFaults = new Set([
  'EnvironmentError',
  'HooksError',
  'ListenError',
  'ManifestError',
  'RemoteFileError',
  'RouterConfigError',
  'SupergraphError',
]);

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
    if (!(error instanceof Error) || !startFaults.has(error.name)) {
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
      : await serveHere(config, env, logger);
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

/** Serves in this process. Loads the gateway, which the primary of several workers does without. */
async function serveHere(config: GatewayConfig, env: Environment, logger: Logger): Promise<RunningService> {
  const { runGateway } = await import('./run-gateway.ts');
  const mayBeEmpty = env[emptyFiles]?.split('\n') ?? config.emptyPaths;
  return await runGateway(config, { env, logger, mayBeEmpty });
}
