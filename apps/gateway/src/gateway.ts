import { createSubgraphClient } from '@meridian/executor';
import type { AdminRoute, ServeExchange } from '@meridian/http';
import type { Logger, Metrics } from '@meridian/telemetry';

import type { GatewayConfig } from './config/gateway-config.ts';
import { createCostMetrics } from './telemetry/cost-metrics.ts';
import type { ReferenceCount } from './concurrency/reference-count.ts';
import { createReferenceCount } from './concurrency/reference-count.ts';
import { createManifestMemory } from './manifest/manifest-memory.ts';
import { createManifestMetrics } from './manifest/manifest-metrics.ts';
import type { Pipeline } from './open-pipeline.ts';
import { openPipeline } from './open-pipeline.ts';
import { openPlanStores } from './stores/open-plan-stores.ts';
import { openSharedState } from './stores/open-shared-state.ts';
import { reloadConfig } from './reload/reload-config.ts';
import { createGraphMetrics } from './telemetry/graph-metrics.ts';
import { openObservation } from './explain/observation.ts';
import { createReloadMetrics } from './telemetry/reload-metrics.ts';
import { openUsage } from './usage/open-usage.ts';
import { createVerifiers } from './config/verifiers.ts';
import { watchEventLoop } from './http/watch-event-loop.ts';
import { createFetchText } from './remote/create-fetch-text.ts';
import type { Mirror } from './remote/mirror-files.ts';
import { mirrorFiles } from './remote/mirror-files.ts';
import { fingerprintFiles } from './reload/watch-files.ts';

export interface GatewayOptions {
  readonly config: GatewayConfig;
  /** Reads the configuration again when one of its files has changed. Absent: it never changes. */
  readonly readConfig?: () => GatewayConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** The interval between checks of files for changes, in milliseconds. Default: 1000. */
  readonly checkFilesEveryMs?: number;
}

/** A gateway that is ready for requests. */
export interface Gateway {
  readonly serve: ServeExchange;
  /** Paths of the admin listener. */
  readonly adminRoutes: Readonly<Record<string, AdminRoute>>;
  readonly close: () => Promise<void>;
}

/**
 * Puts the gateway together: the parts that last as long as the process, and a pipeline for the configuration, which
 * is replaced when that changes. Requests under way finish on the pipeline that received them.
 *
 * @throws {SupergraphError}, {ManifestError} or {RemoteFileError} when one of them cannot be read at the start
 */
export async function openGateway(options: GatewayOptions): Promise<Gateway> {
  const { config, readConfig, logger, metrics, checkFilesEveryMs: checkEveryMs = 1000 } = options;
  const seen = fingerprintFiles(config.configPaths);
  let mirror = await openMirror(config, logger);
  const client = createSubgraphClient();
  const shared = await openSharedState(config, logger);
  const plans = await openPlanStores(config.planStores, logger);
  const eventLoop = watchEventLoop();
  const verifiers = createVerifiers(logger);
  const observation = await openObservation({ config, logger, metrics });
  const usage =
    config.usage &&
    (await openUsage(config.usage, { logger, metrics, closeTimeoutMs: config.shutdownGraceMs * 0.4 }));
  const graphMetrics = createGraphMetrics(metrics);
  const reloadMetrics = createReloadMetrics(metrics);
  const parts = {
    logger,
    metrics,
    costMetrics: createCostMetrics(metrics),
    graphMetrics,
    reloadMetrics,
    client,
    shared,
    planStores: plans.stores,
    verifierOf: verifiers.verifierOf,
    eventLoop,
    observation,
    usage,
    manifestMemory: createManifestMemory(),
    manifestMetrics: createManifestMetrics(metrics),
    checkEveryMs,
  };

  let current = countingRequests(await openPipeline(config, parts));
  graphMetrics.watchCacheSize(() => current.graph().recentlyUsed().length);
  reloadMetrics.watchRunning(() => current.running());
  const retiring = new Set<Promise<void>>();
  const reload =
    readConfig &&
    reloadConfig({
      config,
      seen,
      read: readConfig,
      async apply(next) {
        const [replaced, previousMirror] = [current, mirror];
        const nextMirror = await openMirror(next, logger);
        current = countingRequests(
          await openPipeline(next, parts, replaced.graph()).catch((error: unknown) => {
            nextMirror.close();
            throw error;
          }),
        );
        mirror = nextMirror;
        previousMirror.close();
        const retired = closeWhenDrained(replaced).finally(() => retiring.delete(retired));
        retiring.add(retired);
      },
      onReload: (outcome) => reloadMetrics.countReload('configuration', outcome),
      logger,
      checkEveryMs,
    });

  return {
    serve(exchange) {
      const { requests, serve } = current;
      exchange.onEnd(requests.acquire());
      void serve(exchange);
    },
    adminRoutes: observation.adminRoutes,
    async close() {
      await reload?.close();
      mirror.close();
      await Promise.all([closeWhenDrained(current), ...retiring]);
      verifiers.close();
      await client.close();
      shared.close();
      plans.close();
      eventLoop.close();
      await Promise.all([observation.close(), usage?.close()]);
    },
  };
}

function openMirror({ remote }: GatewayConfig, logger: Logger): Promise<Mirror> {
  return mirrorFiles(remote.files, {
    fetchText: createFetchText(remote.access),
    everyMs: remote.everyMs,
    logger,
  });
}

/** A pipeline, with the number of the requests that it serves. */
interface CountedPipeline extends Pipeline {
  readonly requests: ReferenceCount;
}

function countingRequests(pipeline: Pipeline): CountedPipeline {
  return { ...pipeline, requests: createReferenceCount() };
}

async function closeWhenDrained({ requests, close }: CountedPipeline): Promise<void> {
  await requests.whenReleased();
  await close();
}
