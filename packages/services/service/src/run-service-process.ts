import type { RequestListener } from 'node:http';

import { createTokenVerifier } from '@meridian/auth';
import type { TokenVerifier } from '@meridian/auth';
import {
  assertDistribution,
  assertServiceRole,
  connectDatabase,
  UndistributedStore,
  UnsafeServiceRole,
} from '@meridian/database';
import type { Database, StopSignal } from '@meridian/database';
import { limitLoad, limitWaiting, problemRenderer, runProcess, runService } from '@meridian/http';
import type { HttpServing, Middleware, WaitingRequests } from '@meridian/http';
import { connectRedis } from '@meridian/shared-state';
import type { RedisConnection } from '@meridian/shared-state';
import { createLogger, createMetrics } from '@meridian/telemetry';
import type { Logger, Metrics } from '@meridian/telemetry';
import { Gauge } from 'prom-client';

import { databaseMetrics } from './database-metrics.ts';
import type { ResourceConfig } from './resource-config.ts';
import type { ServiceConfig } from './service-config.ts';

/** The dependencies of an app. */
export interface ServiceDependencies extends Pick<
  ServiceConfig,
  'mode' | 'problemBaseUrl' | 'requestDeadlineMs'
> {
  /** The share of successful requests that have a line in the log. Default: 1. */
  readonly requestLogRatio?: number | undefined;
  readonly database: Database;
  readonly verifier: TokenVerifier;
  /** Sheds load: every request of a tenant passes it, after authentication. */
  readonly limitLoad: Middleware;
  readonly waitingRequests: WaitingRequests;
  /** Aborts when the service stops: what has no end of its own must end then. */
  readonly stopping: StopSignal;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** The state that replicas share; absent without Redis, and for a service that shares nothing. */
  readonly redis?: RedisConnection | undefined;
}

/** Serves the requests of a service. */
type App = RequestListener | Extract<HttpServing, { readonly handler: RequestListener }>;

/**
 * Registers the end of work that the process does without a request. It runs once no request is left, and before
 * connections to the database are closed.
 */
export type BeforeClose = (end: () => Promise<void>) => void;

const poolSize = 10;

/**
 * Runs a service as this process until it is stopped. A fault that prevents the start (a port in use, a
 * database role that bypasses row-level security, an error of `createApp`) ends the process with exit code 1
 * and one line on standard error.
 *
 * @param name of the service, in logs, in metrics and to the database
 */
export async function runServiceProcess<Config extends ServiceConfig & Pick<ResourceConfig, 'redisUrl'>>(
  name: string,
  config: Config,
  createApp: (dependencies: Config & ServiceDependencies, beforeClose: BeforeClose) => App | Promise<App>,
): Promise<void> {
  const logger = createLogger({ service: name, level: config.logLevel, format: config.logFormat });
  const metrics = createMetrics({ service: name });
  const database = connectDatabase({
    url: config.databaseUrl,
    listenUrl: config.databaseListenUrl,
    applicationName: name,
    poolSize,
    statementTimeoutMs: config.statementTimeoutMs,
    logger,
    onCall: databaseMetrics(metrics),
  });
  const verifier = createTokenVerifier({ issuers: config.issuers, logger });
  const redis =
    config.redisUrl === undefined ? undefined : await connectRedis({ url: config.redisUrl, logger });

  await runProcess({
    name,
    logger,
    async start() {
      return await runService({
        ...config,
        name,
        logger,
        metrics,
        renderProblem: problemRenderer(config.problemBaseUrl),
        async open(stopping) {
          let isSafe = await isStoreSafe(database, logger);
          const waitingRequests = limitWaiting(config.waiting);
          waitingMetrics(metrics, waitingRequests);
          const ends: (() => Promise<void>)[] = [];
          const dependencies = {
            ...config,
            database,
            verifier,
            limitLoad: limitLoad(config.load),
            waitingRequests,
            logger,
            metrics,
            redis,
            stopping,
          };
          const app = await createApp(dependencies, (end) => ends.push(end));
          return {
            ...(typeof app === 'function' ? { handler: app } : app),
            async isReady(signal) {
              await database.ping({ signal });
              if (!isSafe) {
                await requireSafeStore(database, logger);
                isSafe = true;
              }
            },
            async close() {
              await Promise.all(ends.map((end) => end()));
              verifier.close();
              redis?.close();
              await database.close();
            },
          };
        },
      });
    },
  });
}

/**
 * Checks the store. One that does not respond yet does not prevent the start: the service is not ready until it responds,
 * and is safe.
 *
 * @returns false where it could not be checked
 * @throws {UnsafeServiceRole} or {UndistributedStore}
 */
async function isStoreSafe(database: Database, logger: Logger): Promise<boolean> {
  try {
    await requireSafeStore(database, logger);
    return true;
  } catch (error) {
    if (isUnsafe(error)) {
      throw error;
    }
    logger.warn({ err: error }, 'the role of this service cannot be checked yet');
    return false;
  }
}

/**
 * Checks the role of a store that responds, and then its distribution.
 *
 * @throws {UnsafeServiceRole} or {UndistributedStore}, or an error of the store where the role cannot be checked
 */
async function requireSafeStore(database: Database, logger: Logger): Promise<void> {
  await assertServiceRole(database);
  try {
    await assertDistribution(database);
  } catch (error) {
    if (isUnsafe(error)) {
      throw error;
    }
    // A worker that is away does not keep the service from the tenants of the others.
    logger.warn({ err: error }, 'the distribution of the database cannot be checked');
  }
}

function isUnsafe(error: unknown): boolean {
  return error instanceof UnsafeServiceRole || error instanceof UndistributedStore;
}

/** Registers the number of requests that wait: once for a process. */
function waitingMetrics({ registry }: Metrics, waitingRequests: WaitingRequests): void {
  registry.registerMetric(
    new Gauge({
      name: 'meridian_waiting_requests',
      help: 'Requests that wait for events.',
      registers: [],
      collect() {
        this.set(waitingRequests.count);
      },
    }),
  );
}
