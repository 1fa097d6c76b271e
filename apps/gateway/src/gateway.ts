import type { TokenVerifier } from '@meridian/auth';
import type { StopSignal } from '@meridian/cancellation';
import type { SubgraphClient, Supergraph } from '@meridian/executor';
import { createSubgraphClient } from '@meridian/executor';
import type { AdminRoute, ServeExchange, UpgradeListener } from '@meridian/http';
import type { Logger, Metrics } from '@meridian/telemetry';

import { createApp } from './app.ts';
import type { ReferenceCount } from './concurrency/reference-count.ts';
import { createReferenceCount } from './concurrency/reference-count.ts';
import type { SerialQueue } from './concurrency/serial-queue.ts';
import { createSerialQueue } from './concurrency/serial-queue.ts';
import type { GatewayConfig } from './config/gateway-config.ts';
import type { TrustedKeys } from './config/issuers.ts';
import { verifiesTokens } from './config/issuers.ts';
import { servesSubscriptions } from './config/serves-subscriptions.ts';
import { createCookieCheck } from './interceptors/check-cookie-page.ts';
import { createOriginCheck } from './interceptors/cors.ts';
import { openCoprocessor } from './coprocessor/open-coprocessor.ts';
import { createVerifiers } from './config/verifiers.ts';
import { createRenderProblem } from './errors/render-problem.ts';
import type { Observation } from './explain/observation.ts';
import { openObservation } from './explain/observation.ts';
import { openExplorer } from './explorer/open-explorer.ts';
import { withExplorer } from './explorer/with-explorer.ts';
import type { GraphSource } from './graph/graph-source.ts';
import { openGraph } from './graph/graph-source.ts';
import { GraphWarmUp } from './graph/graph-warm-up.ts';
import type { Graph } from './graph/graph.ts';
import { createGraph } from './graph/graph.ts';
import { recentTasks } from './graph/warm-up-tasks.ts';
import type { HealthMembers } from './http/health-route.ts';
import { circuitsMember } from './http/health-route.ts';
import { HookFiles, openHooks } from './hooks/open-hooks.ts';
import { createLoadLimit } from './http/limit-load.ts';
import type { EventLoopWatch } from './http/watch-event-loop.ts';
import { watchEventLoop } from './http/watch-event-loop.ts';
import { checkRegistered } from './manifest/check-registered.ts';
import { isListed } from './manifest/listed-texts.ts';
import type { ManifestMemory } from './manifest/manifest-memory.ts';
import { createManifestMemory } from './manifest/manifest-memory.ts';
import type { ManifestMetrics } from './manifest/manifest-metrics.ts';
import { createManifestMetrics } from './manifest/manifest-metrics.ts';
import type { ManifestSource } from './manifest/manifest-source.ts';
import { openManifest } from './manifest/manifest-source.ts';
import { identifyCaller } from './pipeline/2-identify/identify-caller.ts';
import { createTokenSources } from './pipeline/2-identify/token-sources.ts';
import { createAdHocSources } from './pipeline/2-identify/ad-hoc-sources.ts';
import { createAutomaticQueries } from './pipeline/2-identify/automatic-queries.ts';
import type { Safelist } from './pipeline/3-compile/check-safelist.ts';
import { reloadConfig } from './reload/reload-config.ts';
import type { ReloadRules, Reloadable } from './reload/reloadable.ts';
import { fingerprintFiles } from './reload/watch-files.ts';
import { createFetchText } from './remote/create-fetch-text.ts';
import type { openMcp as OpenMcp } from './mcp/open-mcp.ts';
import type { Mirror } from './remote/mirror-files.ts';
import { mirrorFiles } from './remote/mirror-files.ts';
import type { StageHandlers } from './stages/messages.ts';
import type { CompiledOperation } from './operation/compiled-operation.ts';
import type { NamedPlanStore } from './stores/open-plan-stores.ts';
import { openPlanStores } from './stores/open-plan-stores.ts';
import type { SharedState } from './stores/open-shared-state.ts';
import { openSharedState } from './stores/open-shared-state.ts';
import { withDefer } from './supergraph/defer-directive.ts';
import { serveWebSockets } from './websocket/serve-web-sockets.ts';
import type { WebSocketOptions, WebSocketRules, WebSockets } from './websocket/serve-web-sockets.ts';
import type { SubscriptionsOnDemand } from './subscriptions/subscriptions-on-demand.ts';
import { subscriptionsOnDemand } from './subscriptions/subscriptions-on-demand.ts';
import { SubgraphTls } from './subgraphs/subgraph-tls.ts';
import { publicHints } from './supergraph/public-hints.ts';
import { OpenStreams } from './streams/open-streams.ts';
import type { StreamMetrics } from './telemetry/stream-metrics.ts';
import { createStreamMetrics } from './telemetry/stream-metrics.ts';
import { createCustomTelemetry } from './telemetry/custom/custom-telemetry.ts';
import type { CustomTelemetry } from './telemetry/custom/custom-telemetry.ts';
import type { CostMetrics } from './telemetry/cost-metrics.ts';
import { createCostMetrics } from './telemetry/cost-metrics.ts';
import type { CoprocessorMetrics } from './telemetry/coprocessor-metrics.ts';
import { createCoprocessorMetrics } from './telemetry/coprocessor-metrics.ts';
import type { GraphMetrics } from './telemetry/graph-metrics.ts';
import { createGraphMetrics } from './telemetry/graph-metrics.ts';
import type { RunningState } from './telemetry/reload-metrics.ts';
import { createReloadMetrics } from './telemetry/reload-metrics.ts';
import type { Usage } from './usage/open-usage.ts';
import { openUsage } from './usage/open-usage.ts';

export interface GatewayOptions {
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
  /** Serves the operations of WebSockets, which may be for another graph than their connection. Default: this one. */
  readonly operations?: Pick<WebSocketOptions, 'serve' | 'checkCredentials'> | undefined;
}

/** A gateway that is ready for requests. */
export interface Gateway {
  readonly serve: ServeExchange;
  /** Takes connections as WebSockets. */
  readonly upgrade: UpgradeListener;
  /** Paths of the admin listener. */
  readonly adminRoutes: Readonly<Record<string, AdminRoute>>;
  /** For the health check. */
  readonly health: () => HealthMembers;
  readonly close: () => Promise<void>;
}

/** The gateway of one graph. */
export interface GraphGateway extends Gateway {
  /** Of WebSockets that another gateway has taken: checks whether this one would have. */
  readonly webSockets: Pick<WebSocketRules, 'checkCredentials'> & Pick<WebSockets, 'check'>;
  /**
   * Checks that there is room for a request, before its caller is known.
   *
   * @throws {RequestError} REQUEST_CONCURRENCY_LIMITED or SERVICE_OVERLOADED
   */
  readonly checkRoom: () => void;
  /** True where the operations of a manifest are tools. */
  readonly hasTools: () => boolean;
}

/**
 * Puts the gateway together: the parts that last as long as the process, and a pipeline for the configuration, which
 * is replaced when that changes. Requests under way finish on the pipeline that received them.
 *
 * @throws {SupergraphError}, {ManifestError} or {RemoteFileError} when one of them cannot be read at the start
 */
export async function openGateway(options: GatewayOptions): Promise<GraphGateway> {
  const { config, readConfig, logger, metrics, checkFilesEveryMs: checkEveryMs = 1000 } = options;
  const seen = fingerprintFiles(config.configPaths);
  const client = createSubgraphClient();
  const subgraphTls = new SubgraphTls({ readConfig, logger, checkEveryMs });
  const subscriptions = subscriptionsOnDemand({
    config,
    metrics,
    renderProblem: createRenderProblem(logger),
    logger,
  });
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
  const graphMetrics = createGraphMetrics(metrics);
  const streamMetrics = createStreamMetrics(metrics);
  const streams = new OpenStreams(streamMetrics, options.stopping);
  const reloadMetrics = createReloadMetrics(metrics);
  let reload: Pick<Reloadable, 'close' | 'reload'> | undefined;
  const reloads = { onReload: reloadMetrics.countReload, logger, checkEveryMs };
  const parts = {
    logger,
    metrics,
    costMetrics: createCostMetrics(metrics),
    graphMetrics,
    streamMetrics,
    streams,
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
    hookFiles: new HookFiles(checkEveryMs, () => reload?.reload()),
    reloads,
  };

  let current = await openPipeline(config, parts);
  graphMetrics.watchCacheSize(() => current.graph().recentlyUsed().length);
  reloadMetrics.watchRunning(() => current.running());
  const retiring = new Set<Promise<void>>();
  reload =
    readConfig &&
    reloadConfig({
      config,
      seen,
      read: readConfig,
      async apply(next) {
        const replaced = current;
        current = await openPipeline(next, parts, replaced.graph());
        streams.endAll('config_reload');
        const retired = replaced.close().finally(() => retiring.delete(retired));
        retiring.add(retired);
      },
      ...reloads,
    });

  const serve: ServeExchange = (exchange) => {
    const { requests, serve: serveRequest } = current;
    exchange.onEnd(requests.acquire());
    void serveRequest(exchange);
  };
  const webSockets = serveWebSockets({
    rules: () => current.webSockets,
    serve,
    ...options.operations,
    logger,
  });
  options.stopping?.addEventListener('abort', () => webSockets.close());

  return {
    serve,
    upgrade: webSockets.upgrade,
    webSockets: {
      check: webSockets.check,
      checkCredentials: (sender) => current.webSockets.checkCredentials(sender),
    },
    checkRoom: () => current.checkRoom(),
    hasTools: () => current.hasTools,
    adminRoutes: observation.adminRoutes,
    health: () => circuitsMember(graphMetrics.openCircuits()),
    async close() {
      parts.hookFiles.close();
      await reload?.close();
      streams.close();
      webSockets.close();
      await Promise.all([current.close(), ...retiring]);
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

/** Parts that outlive a configuration. */
interface ProcessParts {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly costMetrics: CostMetrics;
  readonly graphMetrics: GraphMetrics;
  readonly streamMetrics: StreamMetrics;
  readonly streams: OpenStreams;
  readonly manifestMetrics: ManifestMetrics;
  readonly coprocessorMetrics: CoprocessorMetrics;
  readonly client: SubgraphClient;
  readonly subgraphTls: SubgraphTls;
  readonly subscriptions: SubscriptionsOnDemand;
  readonly shared: SharedState;
  readonly planStores: readonly NamedPlanStore[];
  readonly verifierOf: (trusted: TrustedKeys) => TokenVerifier;
  readonly eventLoop: EventLoopWatch;
  readonly createLoad: typeof createLoadLimit;
  readonly observation: Observation;
  readonly customTelemetry: CustomTelemetry | undefined;
  readonly usage: Usage | undefined;
  readonly manifestMemory: ManifestMemory;
  readonly hookFiles: HookFiles;
  readonly reloads: ReloadRules;
}

/** Everything derived from one configuration, ready for requests. */
interface Pipeline {
  readonly serve: ServeExchange;
  /** The requests that it serves. */
  readonly requests: ReferenceCount;
  readonly graph: () => Graph;
  readonly webSockets: WebSocketRules;
  readonly checkRoom: () => void;
  readonly hasTools: boolean;
  /** The files in force. */
  readonly running: () => RunningState;
  /** Waits until its requests are over. */
  readonly close: () => Promise<void>;
}

/**
 * The operations of the manifest that a starting gateway warms up before it is ready, from the first. The others follow
 * beside requests: a request for one of these waits for its own plan and at most for one other.
 */
const warmedUpBeforeReady = 200;

/**
 * Opens the pipeline of one configuration: the supergraph and the manifest, which are read again when they change, and
 * the dependencies of the stages. A replacement is warmed up before it takes over.
 *
 * @param previous the graph that the first one replaces; absent at the start of the process
 */
async function openPipeline(config: GatewayConfig, parts: ProcessParts, previous?: Graph): Promise<Pipeline> {
  const { logger, shared, verifierOf, eventLoop, observation, reloads } = parts;
  const { automaticQueries, file } = config;
  const { safelist: safelisting, experimental_prewarm_query_plan_cache: prewarming } = file.persisted_queries;
  const { cache, warmed_up_queries: warmedUp = Math.floor(cache.in_memory.limit / 3) } =
    file.supergraph.query_planning;
  const onUnknown = file.persisted_queries.log_unknown ? logUnknown(logger) : undefined;
  const hooks = await openHooks({ config, files: parts.hookFiles, logger });
  const coprocessor =
    file.coprocessor &&
    openCoprocessor(file.coprocessor, {
      logger,
      metrics: parts.coprocessorMetrics,
      traceFields: observation.traceFields,
      sdl: () => graph().supergraph.sdl,
      urlOf: (subgraph) => graph().servers.get(subgraph)?.url,
      compile: (text, operationName) => compiledOf(() => graph().compile(adHoc(text), operationName)),
    });
  const stageHandlers: readonly StageHandlers[] = [...hooks.handlers, coprocessor?.handlers].filter(
    (handlers) => handlers !== undefined,
  );
  const adHoc = createAdHocSources();
  const queue = createSerialQueue();
  const warmUp = new GraphWarmUp({ cost: config.cost, logger });
  let openMcp: typeof OpenMcp | undefined;
  let mirror: Mirror | undefined;
  let manifest: ManifestSource | undefined;
  let graphs: GraphSource;
  try {
    openMcp = file.meridian.mcp.enabled ? (await import('./mcp/open-mcp.ts')).openMcp : undefined;
    mirror = await openMirror(config, logger);
    manifest = await openManifestOf(config, parts, queue);
    const listed = manifest?.current;
    const isEnforced = safelisting.enabled;
    // Texts are compared only if ad-hoc operations may run, and unlisted ones are rejected or logged.
    const safelist: Safelist | undefined =
      listed !== undefined && (isEnforced || onUnknown !== undefined)
        ? { has: (canonicalKey) => isListed(listed(), canonicalKey), isEnforced, onUnknown }
        : undefined;
    graphs = await openGraph({
      path: config.supergraphPath,
      // Passed as an argument, not captured: a closure that outlives the start would keep it alive, and with it every
      // earlier graph.
      previous,
      async create(read, replaced) {
        const supergraph = file.supergraph.defer_support
          ? { ...read, apiSchema: withDefer(read.apiSchema) }
          : read;
        if (file.meridian.breaking_supergraph === 'reject' && listed !== undefined) {
          await checkRegistered(listed(), supergraph, replaced?.supergraph);
        }
        const graph = await createGraph(supergraph, { ...parts, config, safelist, stageHandlers });
        if (file.authorization.require_authentication) {
          warnOfPublicHints(supergraph, logger);
        }
        const extent =
          replaced === undefined
            ? { isPlanned: prewarming.on_startup, atOnce: warmedUpBeforeReady }
            : {
                isPlanned: prewarming.on_reload,
                others: recentTasks(replaced, graph, warmedUp),
              };
        await warmUp.run(graph, listed?.(), extent);
        return graph;
      },
      onReplaced: (graph) => parts.streams.endChanged(graph),
      queue,
      ...reloads,
    });
  } catch (error) {
    mirror?.close();
    await manifest?.close();
    await coprocessor?.close();
    await hooks.close();
    throw error;
  }
  const graph = graphs.current;
  const listed = manifest?.current;
  manifest?.settle();
  manifest?.beforeChange((next) => warmUp.run(graph(), next, { isPlanned: prewarming.on_reload }));

  const verifier = verifiesTokens(config) ? verifierOf(config) : undefined;
  const tokenSources = verifier && createTokenSources(file, createCookieCheck(file));
  const dependencies = {
    ...parts,
    config,
    stageHandlers,
    graph,
    verifier,
    tokenSources,
    sources: {
      adHoc,
      manifest: listed,
      isIdRequired: safelisting.require_id,
      automaticQueries:
        automaticQueries &&
        createAutomaticQueries({ maxEntries: automaticQueries.in_memory.limit, shared: shared.apqStore }),
      onUnknown,
    },
    load: parts.createLoad(config.load, eventLoop.delayMs),
    rateLimiters: shared.rateLimiters(config.throttle),
  };
  const graphApp = createApp(dependencies);
  const app =
    openMcp === undefined || listed === undefined
      ? graphApp
      : openMcp(graphApp, { dependencies, config, manifest: listed, verifierOf });
  const { explorer } = config;
  const { findExplanations } = observation;
  const serve =
    explorer === undefined
      ? app
      : withExplorer(
          app,
          openExplorer({ config, explorer, graph, manifest: listed, findExplanations, logger }),
        );
  const requests = createReferenceCount();
  return {
    serve,
    requests,
    graph,
    webSockets: {
      isOn: servesSubscriptions(file),
      graphPaths: config.graphPaths,
      allowsOrigin: createOriginCheck(file.cors),
      maxMessageBytes: file.limits.http_max_request_bytes,
      checkCredentials: (sender) =>
        identifyCaller(sender, {
          verifier,
          isRequired: file.authorization.require_authentication,
          sources: tokenSources,
        }),
      credentialFields: tokenSources?.fields ?? ['authorization'],
    },
    checkRoom: () => dependencies.load.checkRoom(),
    hasTools: openMcp !== undefined && listed !== undefined,
    running: () => ({
      hashes: { configuration: config.configHash, manifest: listed?.().hash, supergraph: graph().hash },
      manifestOperations: listed?.().operations.length ?? 0,
      unrunnableOperations: warmUp.unrunnableOn(graph()),
    }),
    async close() {
      mirror.close();
      await requests.whenReleased();
      warmUp.stop();
      await manifest?.close();
      await graphs.close();
      await coprocessor?.close();
      await hooks.close();
    },
  };
}

/** Undefined for an operation that is rejected where it is compiled for its request. */
function compiledOf(compile: () => CompiledOperation): CompiledOperation | undefined {
  try {
    return compile();
  } catch {
    return undefined;
  }
}

function openMirror({ remote }: GatewayConfig, logger: Logger): Promise<Mirror> {
  return mirrorFiles(remote.files, {
    fetchText: createFetchText(remote.access),
    everyMs: remote.everyMs,
    logger,
  });
}

async function openManifestOf(
  { manifests, graph }: GatewayConfig,
  { manifestMemory: memory, manifestMetrics: metrics, usage, reloads }: ProcessParts,
  queue: SerialQueue,
): Promise<ManifestSource | undefined> {
  if (manifests === undefined) {
    return undefined;
  }
  const registry = usage?.identifiers;
  return await openManifest({ ...manifests, graph, memory, metrics, registry, queue, ...reloads });
}

function warnOfPublicHints(supergraph: Supergraph, logger: Logger): void {
  const publicFields = publicHints(supergraph);
  if (publicFields.length > 0) {
    logger.warn({ publicFields }, 'fields that require authentication have public cache hints');
  }
}

/** The most characters of an unknown operation in the log: a text can be as long as a body. */
const maxLoggedText = 4096;

function logUnknown(logger: Logger): (text: string) => void {
  return (text) => logger.warn({ operation: text.slice(0, maxLoggedText) }, 'unknown operation');
}
