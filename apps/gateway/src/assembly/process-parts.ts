import type { StopSignal } from '@meridian/cancellation';
import { createPlannerThread, createSubgraphClient } from '@meridian/executor';
import type { Logger, Metrics } from '@meridian/telemetry';

import type { GatewayConfig } from '../config/gateway-config.ts';
import { createVerifiers } from '../config/verifiers.ts';
import { createRenderProblem } from '../errors/render-problem.ts';
import { openObservation } from '../explain/observation.ts';
import { HookFiles } from '../hooks/hook-files.ts';
import { createLoadLimit } from '../http/limit-load.ts';
import { watchEventLoop } from '../http/watch-event-loop.ts';
import type { ManifestMemory } from '../manifest/manifest-source.ts';
import { createManifestFaults } from '../manifest/manifest-source.ts';
import { ResponseCaches } from '../response-cache/response-caches.ts';
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
import { createUploadMetrics } from '../telemetry/upload-metrics.ts';
import { createTierRejections } from '../tiers/tiers.ts';

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
  /** Default: operations are planned in a thread of the graph's own. */
  readonly createPlanner?: typeof createPlannerThread;
}

/** Parts that outlive a configuration. */
export type ProcessParts = Awaited<ReturnType<typeof openProcessParts>>;

interface Closable {
  close(): void | Promise<void>;
}

/**
 * Opens the parts that last as long as the process. Where one of them fails, none stays open.
 *
 * @param onHooksChanged called when a file of the hooks has changed
 */
export async function openProcessParts(options: ProcessOptions, onHooksChanged: () => void) {
  const opened: Closable[] = [];
  /** Closes what requests need, once there are none. */
  const close = async (): Promise<void> => {
    await Promise.all(opened.map(async (part) => await part.close()));
  };
  const keep = <Part extends Closable>(part: Part): Part => {
    opened.push(part);
    return part;
  };
  try {
    return { ...(await openParts(options, onHooksChanged, keep)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openParts(
  options: ProcessOptions,
  onHooksChanged: () => void,
  keep: <Part extends Closable>(part: Part) => Part,
) {
  const { config, readConfig, logger, metrics, checkFilesEveryMs: checkEveryMs = 1000 } = options;
  const client = keep(createSubgraphClient());
  const subgraphTls = keep(new SubgraphTls({ readConfig, logger, checkEveryMs }));
  const renderProblem = createRenderProblem(logger);
  const subscriptions = keep(subscriptionsOnDemand({ config, metrics, renderProblem, logger }));
  const responseCaches = keep(new ResponseCaches({ config, metrics, renderProblem, logger }));
  const shared = keep(await openSharedState(config, logger));
  const plans = keep(await openPlanStores(config, logger));
  const eventLoop = keep(watchEventLoop());
  const verifiers = keep(createVerifiers(logger));
  const observation = keep(await openObservation({ config, logger, metrics }));
  const usage = config.usage.enabled
    ? keep(
        await (
          await import('../usage/open-usage.ts')
        ).openUsage(config.usage, {
          databaseUrl: config.databaseUrl,
          graph: config.graph,
          logger,
          metrics,
          closeTimeoutMs: config.shutdownGraceMs * 0.4,
        }),
      )
    : undefined;
  const streamMetrics = createStreamMetrics(metrics);
  const manifestMemory: ManifestMemory = { inForce: undefined };
  const reloadMetrics = createReloadMetrics(metrics);
  return {
    logger,
    metrics,
    costMetrics: createCostMetrics(metrics),
    graphMetrics: createGraphMetrics(metrics),
    uploadMetrics: createUploadMetrics(metrics),
    tierRejections: createTierRejections(metrics),
    streamMetrics,
    streams: keep(new OpenStreams(streamMetrics, options.stopping)),
    manifestFaults: createManifestFaults(metrics),
    coprocessorMetrics: createCoprocessorMetrics(metrics),
    client,
    subgraphTls,
    subscriptions,
    responseCaches,
    shared,
    planStores: plans.stores,
    verifierOf: verifiers.verifierOf,
    eventLoop,
    createLoad: options.createLoad ?? createLoadLimit,
    createPlanner: options.createPlanner ?? createPlannerThread,
    observation,
    customTelemetry: createCustomTelemetry(config.instrumentation, {
      metrics,
      isTraced: config.tracing !== undefined,
      isSecure: config.isSecure,
    }),
    usage,
    manifestMemory,
    hookFiles: keep(new HookFiles(checkEveryMs, onHooksChanged)),
    reloadMetrics,
    reloads: { onReload: reloadMetrics.countReload, logger, checkEveryMs },
  };
}
