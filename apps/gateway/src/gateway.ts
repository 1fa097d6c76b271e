import type { RequestListener } from 'node:http';

import { createTokenVerifier } from '@meridian/auth';
import type { TokenVerifier } from '@meridian/auth';
import { createSubgraphClient } from '@meridian/executor';
import type { AdminRoute } from '@meridian/http';
import type { SharedTexts } from '@meridian/shared-state';
import type { Logger, Metrics } from '@meridian/telemetry';

import { createApp } from './app.ts';
import type { GatewayConfig, PersistedQueries } from './config.ts';
import { openExplorer } from './explorer/open-explorer.ts';
import { withExplorer } from './explorer/with-explorer.ts';
import type { Graph } from './graph.ts';
import { createCostMetrics } from './cost-metrics.ts';
import { openGraph } from './graph-source.ts';
import { createGraph } from './graph.ts';
import { checkManifest } from './manifest/check-manifest.ts';
import { isListed } from './manifest/listed-texts.ts';
import type { ManifestSource } from './manifest/manifest-source.ts';
import { openManifest } from './manifest/manifest-source.ts';
import { openSharedState } from './open-shared-state.ts';
import { createAutomaticQueries } from './pipeline/1-identify/automatic-queries.ts';
import type { OperationSources } from './pipeline/1-identify/find-operation.ts';
import type { Safelist } from './pipeline/2-admit/check-safelist.ts';
import { createLoadLimit } from './pipeline/2-admit/limit-load.ts';
import { createThrottle } from './pipeline/2-admit/throttle.ts';
import { openObservation } from './telemetry/observation.ts';
import { openUsage } from './usage/open-usage.ts';
import { watchEventLoop } from './watch-event-loop.ts';

export interface GatewayOptions {
  readonly config: GatewayConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** How often files that may change are looked at, in milliseconds; 1000 unless told. */
  readonly checkFilesEveryMs?: number;
}

/** A gateway that is ready to answer. */
export interface Gateway {
  readonly handler: RequestListener;
  /** Paths of the admin listener. */
  readonly adminRoutes: Readonly<Record<string, AdminRoute>>;
  readonly close: () => Promise<void>;
}

/**
 * Puts the gateway together: the supergraph and the manifest, which are read again when they change, and what the pipeline
 * works with.
 *
 * @throws {SupergraphError} or {ManifestError} where one of them cannot be read at first
 */
export async function openGateway(options: GatewayOptions): Promise<Gateway> {
  const { config, logger, metrics, checkFilesEveryMs: checkEveryMs = 1000 } = options;
  const client = createSubgraphClient();
  const shared = openSharedState(config, logger);
  const eventLoop = watchEventLoop();
  const observation = openObservation({ config, logger, metrics });
  const usage =
    config.usage &&
    openUsage(config.usage, { logger, metrics, closePatienceMs: config.shutdownGraceMs * 0.4 });
  const verifier = createVerifier(config, logger);
  const manifest = openManifestOf(config, logger, checkEveryMs);
  const safelist = createSafelist(config.persistedQueries, manifest, logger);

  const checkOperations = ({ compile }: Graph): void => {
    if (manifest !== undefined) {
      checkManifest(manifest.current(), { compile, cost: config.cost, logger });
    }
  };
  const graph = await openGraph({
    path: config.supergraphPath,
    async create(supergraph) {
      const created = await createGraph(supergraph, { config, client, safelist, logger });
      checkOperations(created);
      return created;
    },
    logger,
    checkEveryMs,
  });
  manifest?.onChange(() => checkOperations(graph.current()));

  const app = createApp({
    config,
    graph: graph.current,
    verifier,
    sources: operationSources(config, manifest, shared.registeredTexts, logger),
    load: createLoadLimit(config.load, eventLoop.delayMs),
    throttle: createThrottle({ global: shared.globalBudget, tenant: shared.tenantBudget }),
    logger,
    metrics,
    costMetrics: createCostMetrics(metrics),
    observation,
    usage,
  });
  const { explorer } = config;
  return {
    handler:
      explorer === undefined
        ? app
        : withExplorer(
            app,
            openExplorer({ config, explorer, graph: graph.current, manifest: manifest?.current, logger }),
          ),
    adminRoutes: observation.adminRoutes,
    async close() {
      manifest?.close();
      verifier?.close();
      await graph.close();
      await client.close();
      shared.close();
      eventLoop.close();
      await Promise.all([observation.close(), usage?.close()]);
    },
  };
}

function openManifestOf(
  { persistedQueries }: GatewayConfig,
  logger: Logger,
  checkEveryMs: number,
): ManifestSource | undefined {
  if (persistedQueries === undefined) {
    return undefined;
  }
  const { manifestPaths: paths, isReloaded } = persistedQueries;
  return openManifest({ paths, isReloaded, logger, checkEveryMs });
}

function createVerifier({ issuers }: GatewayConfig, logger: Logger): TokenVerifier | undefined {
  return issuers.length === 0
    ? undefined
    : createTokenVerifier({
        issuers,
        onJwksFailure: ({ issuer, error }) =>
          logger.warn({ issuer, err: error }, 'the keys of an issuer cannot be had'),
      });
}

/** Texts are compared only where they may run at all, and somebody wants to know of those that are not listed. */
function createSafelist(
  queries: PersistedQueries | undefined,
  manifest: ManifestSource | undefined,
  logger: Logger,
): Safelist | undefined {
  if (queries === undefined || manifest === undefined || !(queries.isSafelist || queries.logsUnknown)) {
    return undefined;
  }
  return {
    has: (text) => isListed(manifest.current(), text),
    isEnforced: queries.isSafelist,
    onUnknown: queries.logsUnknown ? logUnknown(logger) : undefined,
  };
}

function operationSources(
  { persistedQueries, automaticQueries }: GatewayConfig,
  manifest: ManifestSource | undefined,
  registeredTexts: SharedTexts | undefined,
  logger: Logger,
): OperationSources {
  return {
    manifest: manifest?.current,
    isIdRequired: persistedQueries?.isIdRequired ?? false,
    automaticQueries:
      automaticQueries && createAutomaticQueries({ ...automaticQueries, shared: registeredTexts }),
    onUnknown: persistedQueries?.logsUnknown ? logUnknown(logger) : undefined,
  };
}

function logUnknown(logger: Logger): (text: string) => void {
  return (text) => logger.warn({ operation: text }, 'unknown operation');
}
