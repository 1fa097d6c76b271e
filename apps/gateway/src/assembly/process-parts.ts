import type { StopSignal } from '@meridian/cancellation';
import { createSubgraphClient } from '@meridian/executor';
import type { Logger, Metrics } from '@meridian/telemetry';

import type { GatewayConfig } from '../config/gateway-config.ts';
import { createVerifiers } from '../config/verifiers.ts';
import { createRenderProblem } from '../errors/render-problem.ts';
import { openObservation } from '../explain/observation.ts';
import { HookFiles } from '../hooks/open-hooks.ts';
import { createLoadLimit } from '../http/limit-load.ts';
import { watchEventLoop } from '../http/watch-event-loop.ts';
import { createManifestMemory } from '../manifest/manifest-memory.ts';
import { createManifestMetrics } from '../manifest/manifest-metrics.ts';
import { openPlanStores } from '../stores/open-plan-stores.ts';
import { openSharedState } from '../stores/open-shared-state.ts';
import { OpenStreams } from '../streams/open-streams.ts';
import { SubgraphTls } from '../subgraphs/subgraph-tls.ts';
import { subscriptionsOnDemand } from '../subscriptions/subscriptions-on-demand.ts';
import { createCoprocessorMetrics } from '../telemetry/coprocessor-metrics.ts';
import { createCostMetrics } from '../telemetry/cost-metrics.ts';
import { createCustomTelemetry } from '../telemetry/custom/custom-telemetry.ts';
import { createGraphMetrics } from '../telemetry/graph-metrics.ts';
import { createReloadMetrics } from '../telemetry/reload-metrics.ts';
import { createStreamMetrics } from '../telemetry/stream-metrics.ts';
import { openUsage } from '../usage/open-usage.ts';

export interface ProcessOptions {
  /** As it is at the start. */
  readonly config: GatewayConfig;
  /** Reads the configuration again when one of its files has changed. Absent: it never changes. */
  readonly readConfig?: () => GatewayConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Aborts when the process stops, after which clients come to another one: subscriptions end then. */
  readonly stopping?: StopSignal;
  /** The interval between checks of files for changes, in milliseconds. Default: 1000. */
  readonly checkFilesEveryMs?: number;
  /** The load limit of one graph of several. */
  readonly createLoad?: typeof createLoadLimit | undefined;
}

/** Parts that outlive a configuration. */
export type ProcessParts = Awaited<ReturnType<typeof openProcessParts>>;

/**
 * Opens the parts that last as long as the process.
 *
 * @param onHooksChanged called when a file of the hooks has changed
 */
export async function openProcessParts(options: ProcessOptions, onHooksChanged: () => void) {
  const { config, readConfig, logger, metrics, checkFilesEveryMs: checkEveryMs = 1000 } = options;
  const client = createSubgraphClient();
  const subgraphTls = new SubgraphTls({ readConfig, logger, checkEveryMs });
  const renderProblem = createRenderProblem(logger);
  const subscriptions = subscriptionsOnDemand({ config, metrics, renderProblem, logger });
  const shared = await openSharedState(config, logger);
  const plans = await openPlanStores(config, logger);
  const eventLoop = watchEventLoop();
  const verifiers = createVerifiers(logger);
  const observation = await openObservation({ config, logger, metrics });
  const usage = config.usage.enabled
    ? await openUsage(config.usage, {
        databaseUrl: config.databaseUrl,
        graph: config.graph,
        logger,
        metrics,
        closeTimeoutMs: config.shutdownGraceMs * 0.4,
      })
    : undefined;
  const streamMetrics = createStreamMetrics(metrics);
  const reloadMetrics = createReloadMetrics(metrics);
  return {
    logger,
    metrics,
    costMetrics: createCostMetrics(metrics),
    graphMetrics: createGraphMetrics(metrics),
    streamMetrics,
    streams: new OpenStreams(streamMetrics, options.stopping),
    manifestMetrics: createManifestMetrics(metrics),
    coprocessorMetrics: createCoprocessorMetrics(metrics),
    client,
    subgraphTls,
    subscriptions,
    shared,
    planStores: plans.stores,
    verifierOf: verifiers.verifierOf,
    eventLoop,
    createLoad: options.createLoad ?? createLoadLimit,
    observation,
    customTelemetry: createCustomTelemetry(config.instrumentation, {
      metrics,
      isTraced: config.tracing !== undefined,
      isSecure: config.isSecure,
    }),
    usage,
    manifestMemory: createManifestMemory(),
    hookFiles: new HookFiles(checkEveryMs, onHooksChanged),
    reloadMetrics,
    reloads: { onReload: reloadMetrics.countReload, logger, checkEveryMs },
    /** Closes what requests need, once there are none. */
    async close() {
      verifiers.close();
      subgraphTls.close();
      await client.close();
      await subscriptions.close();
      shared.close();
      plans.close();
      eventLoop.close();
      await Promise.all([observation.close(), usage?.close()]);
    },
  };
}
