import type { TokenVerifier } from '@meridian/auth';
import type { SubgraphClient, Supergraph } from '@meridian/executor';
import type { ServeExchange } from '@meridian/http';
import type { ApqStore } from '@meridian/shared-state';
import type { Logger, Metrics } from '@meridian/telemetry';

import { createApp } from './app.ts';
import type { GatewayConfig } from './config/gateway-config.ts';
import type { PersistedQueries } from './config/registered-operations.ts';
import type { CostMetrics } from './telemetry/cost-metrics.ts';
import { openExplorer } from './explorer/open-explorer.ts';
import { withExplorer } from './explorer/with-explorer.ts';
import { openGraph } from './graph/graph-source.ts';
import type { Graph } from './graph/graph.ts';
import { createGraph } from './graph/graph.ts';
import { createSerialQueue } from './concurrency/serial-queue.ts';
import type { SerialQueue } from './concurrency/serial-queue.ts';
import { isListed } from './manifest/listed-texts.ts';
import type { TrustedKeys } from './config/issuers.ts';
import type { ManifestMemory } from './manifest/manifest-memory.ts';
import type { ManifestMetrics } from './manifest/manifest-metrics.ts';
import type { ManifestSource } from './manifest/manifest-source.ts';
import { openManifest } from './manifest/manifest-source.ts';
import type { Manifest } from './manifest/manifest.ts';
import { manifestTasks, recentTasks } from './graph/warm-up-tasks.ts';
import type { NamedPlanStore } from './stores/open-plan-stores.ts';
import type { SharedState } from './stores/open-shared-state.ts';
import { createAdHocSources } from './pipeline/2-identify/ad-hoc-sources.ts';
import { createAutomaticQueries } from './pipeline/2-identify/automatic-queries.ts';
import type { OperationSources } from './pipeline/2-identify/find-operation.ts';
import type { Safelist } from './pipeline/3-compile/check-safelist.ts';
import { createLoadLimit } from './http/limit-load.ts';
import { createThrottle } from './pipeline/4-admit/throttle.ts';
import type { GraphMetrics } from './telemetry/graph-metrics.ts';
import { checkRegistered } from './manifest/check-registered.ts';
import { publicHints } from './supergraph/public-hints.ts';
import type { Observation } from './explain/observation.ts';
import type { ReloadMetrics, RunningState } from './telemetry/reload-metrics.ts';
import type { Usage } from './usage/open-usage.ts';
import type { WarmUpTask } from './reload/warm-up.ts';
import { warmUp } from './reload/warm-up.ts';
import type { EventLoopWatch } from './http/watch-event-loop.ts';

/** Parts that outlive a configuration. */
export interface ProcessParts {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly costMetrics: CostMetrics;
  readonly graphMetrics: GraphMetrics;
  readonly reloadMetrics: ReloadMetrics;
  readonly client: SubgraphClient;
  readonly shared: SharedState;
  readonly planStores: readonly NamedPlanStore[];
  readonly verifierOf: (trusted: TrustedKeys) => TokenVerifier;
  readonly eventLoop: EventLoopWatch;
  readonly observation: Observation;
  readonly usage: Usage | undefined;
  readonly manifestMemory: ManifestMemory;
  readonly manifestMetrics: ManifestMetrics;
  /** The interval between checks of files for changes, in milliseconds. */
  readonly checkEveryMs: number;
}

/** Everything derived from one configuration, ready for requests. */
export interface Pipeline {
  readonly serve: ServeExchange;
  readonly graph: () => Graph;
  /** The files in force. */
  readonly running: () => RunningState;
  readonly close: () => Promise<void>;
}

/**
 * Puts together the pipeline of one configuration: the supergraph and the manifest, which are read again when they
 * change, and the dependencies of the stages. A replacement is warmed up before it takes over.
 *
 * @param previous the graph that the first one replaces; absent at the start of the process
 * @throws {SupergraphError} or {ManifestError} where one of them cannot be read at first
 */
export async function openPipeline(
  config: GatewayConfig,
  parts: ProcessParts,
  previous?: Graph,
): Promise<Pipeline> {
  const {
    logger,
    metrics,
    costMetrics,
    graphMetrics,
    reloadMetrics,
    client,
    shared,
    planStores,
    verifierOf,
    eventLoop,
    observation,
    usage,
    checkEveryMs,
  } = parts;
  const queue = createSerialQueue();
  const manifest = await openManifestOf(config, parts, queue);
  const safelist = createSafelist(config.persistedQueries, manifest, logger);

  const { isPlannedAtStart = false, isPlannedAtReload = false } = config.persistedQueries ?? {};
  const unrunnable = new WeakMap<Graph, number>();
  let laterWarmUp = new AbortController();
  const warmUpFor = async (
    graph: Graph,
    listed: Manifest | undefined,
    { isPlanned, others = [], atOnce = Number.POSITIVE_INFINITY }: WarmUpPlan,
  ): Promise<void> => {
    laterWarmUp.abort();
    laterWarmUp = new AbortController();
    const { signal } = laterWarmUp;
    let count = 0;
    const onUnrunnable = (): void => void (count += 1);
    const tasks =
      listed === undefined
        ? []
        : manifestTasks(listed, { graph, cost: config.cost, logger, isPlanned, onUnrunnable });
    await warmUp([...tasks.slice(0, atOnce), ...others], { logger });
    unrunnable.set(graph, count);
    // Beside requests, on a graph that stays open meanwhile.
    const warmUpOthers = async (): Promise<void> => {
      const release = graph.acquire();
      try {
        await warmUp(tasks.slice(atOnce), { logger, signal });
      } finally {
        release();
      }
      if (!signal.aborted) {
        unrunnable.set(graph, count);
      }
    };
    void warmUpOthers();
  };
  const opening = openGraph({
    path: config.supergraphPath,
    // Passed as an argument, not captured: a closure that outlives the start would keep it alive, and with it every
    // earlier graph.
    previous,
    async create(supergraph, replaced) {
      const listed = manifest?.current();
      if (config.rejectsBreakingSupergraph && listed !== undefined) {
        await checkRegistered(listed, supergraph, replaced?.supergraph);
      }
      const graph = await createGraph(supergraph, {
        config,
        client,
        planStores,
        graphMetrics,
        safelist,
        logger,
      });
      if (config.isAuthenticationRequired) {
        warnOfPublicHints(supergraph, logger);
      }
      await warmUpFor(
        graph,
        manifest?.current(),
        replaced === undefined
          ? { isPlanned: isPlannedAtStart, atOnce: warmedUpBeforeReady }
          : { isPlanned: isPlannedAtReload, others: recentTasks(replaced, graph, config.operations.warmed) },
      );
      return graph;
    },
    queue,
    onReload: (outcome) => reloadMetrics.countReload('supergraph', outcome),
    logger,
    checkEveryMs,
  });
  const graphs = await opening.catch(async (error: unknown) => {
    await manifest?.close();
    throw error;
  });
  manifest?.settle();
  manifest?.beforeChange((next) => warmUpFor(graphs.current(), next, { isPlanned: isPlannedAtReload }));

  const app = createApp({
    config,
    graph: graphs.current,
    verifier: config.issuers.length + config.openKeySets.length === 0 ? undefined : verifierOf(config),
    sources: operationSources(config, manifest, shared.apqStore, logger),
    load: createLoadLimit(config.load, eventLoop.delayMs),
    throttle: createThrottle(shared.rateLimiters(config.throttle)),
    logger,
    metrics,
    costMetrics,
    graphMetrics,
    observation,
    usage,
  });
  return {
    serve: serverOf(app, { config, graph: graphs.current, manifest, observation, logger }),
    graph: graphs.current,
    running() {
      const graph = graphs.current();
      const listed = manifest?.current();
      return {
        hashes: {
          configuration: config.configHash,
          manifest: listed?.hash,
          supergraph: graph.hash,
        },
        manifestOperations: listed?.operations.length ?? 0,
        unrunnableOperations: unrunnable.get(graph) ?? 0,
      };
    },
    async close() {
      laterWarmUp.abort();
      await manifest?.close();
      await graphs.close();
    },
  };
}

/**
 * The operations of the manifest that a starting gateway warms up before it is ready, from the first. The others follow
 * beside requests: a request for one of these waits for its own plan and at most for one other.
 */
const warmedUpBeforeReady = 200;

/** The warm-up of a graph for a manifest. */
interface WarmUpPlan {
  /** True when operations are also planned, not only compiled and checked. */
  readonly isPlanned: boolean;
  /** Tasks beside the operations of the manifest. */
  readonly others?: readonly WarmUpTask[];
  /** The number of operations to wait for. Default: all. */
  readonly atOnce?: number;
}

function warnOfPublicHints(supergraph: Supergraph, logger: Logger): void {
  const publicFields = publicHints(supergraph);
  if (publicFields.length > 0) {
    logger.warn({ publicFields }, 'fields that require authentication have public cache hints');
  }
}

interface ServerOptions {
  readonly config: GatewayConfig;
  readonly graph: () => Graph;
  readonly manifest: ManifestSource | undefined;
  readonly observation: Observation;
  readonly logger: Logger;
}

/** The app, behind the explorer where there is one. */
function serverOf(
  app: ServeExchange,
  { config, graph, manifest, observation, logger }: ServerOptions,
): ServeExchange {
  const { explorer } = config;
  const { findExplanations } = observation;
  return explorer === undefined
    ? app
    : withExplorer(
        app,
        openExplorer({ config, explorer, graph, manifest: manifest?.current, findExplanations, logger }),
      );
}

function openManifestOf(
  { persistedQueries }: GatewayConfig,
  {
    logger,
    reloadMetrics,
    checkEveryMs,
    manifestMemory: memory,
    manifestMetrics: metrics,
    usage,
  }: ProcessParts,
  queue: SerialQueue,
): Promise<ManifestSource> | undefined {
  if (persistedQueries === undefined) {
    return undefined;
  }
  const { manifestPaths: paths, isReloaded } = persistedQueries;
  return openManifest({
    paths,
    isReloaded,
    memory,
    metrics,
    registry: usage?.identifiers,
    queue,
    onReload: (outcome) => reloadMetrics.countReload('manifest', outcome),
    logger,
    checkEveryMs,
  });
}

/** Texts are compared only if ad-hoc operations may run, and unlisted ones are rejected or logged. */
function createSafelist(
  queries: PersistedQueries | undefined,
  manifest: ManifestSource | undefined,
  logger: Logger,
): Safelist | undefined {
  if (queries === undefined || manifest === undefined || !(queries.isSafelist || queries.logsUnknown)) {
    return undefined;
  }
  return {
    has: (canonicalKey) => isListed(manifest.current(), canonicalKey),
    isEnforced: queries.isSafelist,
    onUnknown: queries.logsUnknown ? logUnknown(logger) : undefined,
  };
}

function operationSources(
  { persistedQueries, automaticQueries }: GatewayConfig,
  manifest: ManifestSource | undefined,
  apqStore: ApqStore | undefined,
  logger: Logger,
): OperationSources {
  return {
    adHoc: createAdHocSources(),
    manifest: manifest?.current,
    isIdRequired: persistedQueries?.isIdRequired ?? false,
    automaticQueries: automaticQueries && createAutomaticQueries({ ...automaticQueries, shared: apqStore }),
    onUnknown: persistedQueries?.logsUnknown ? logUnknown(logger) : undefined,
  };
}

/** The most characters of an unknown operation in the log: a text can be as long as a body. */
const longestLoggedText = 4096;

function logUnknown(logger: Logger): (text: string) => void {
  return (text) => logger.warn({ operation: text.slice(0, longestLoggedText) }, 'unknown operation');
}
