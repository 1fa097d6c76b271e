import type { Supergraph } from '@meridian/executor';
import type { Logger } from '@meridian/telemetry';

import type { SerialQueue } from '../concurrency/serial-queue.ts';
import { createSerialQueue } from '../concurrency/serial-queue.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';
import { createGraph } from '../graph/create-graph.ts';
import type { GraphSource } from '../graph/graph-source.ts';
import { openGraph } from '../graph/graph-source.ts';
import { GraphWarmUp } from '../graph/graph-warm-up.ts';
import type { Graph } from '../graph/graph.ts';
import { recentTasks } from '../graph/warm-up-tasks.ts';
import { checkRegistered } from '../manifest/check-registered.ts';
import { isListed } from '../manifest/manifest.ts';
import type { ManifestSource } from '../manifest/manifest-source.ts';
import { openManifest } from '../manifest/manifest-source.ts';
import type { Safelist } from '../pipeline/3-compile/check-safelist.ts';
import { createFetchText } from '../remote/create-fetch-text.ts';
import type { Mirror } from '../remote/mirror-files.ts';
import { mirrorFiles } from '../remote/mirror-files.ts';
import type { StageHandlers } from '../stages/messages.ts';
import { publicHints } from '../supergraph/cache-hints.ts';
import { withDefer } from '../supergraph/defer-directive.ts';
import type { RunningState } from '../telemetry/reload-metrics.ts';
import { highestCostRules } from '../tiers/tiers.ts';
import type { ProcessParts } from './process-parts.ts';

/** The supergraph and the manifest of a configuration, which are read again when they change. */
export type GraphFiles = Awaited<ReturnType<typeof openGraphFiles>>;

export interface GraphFilesOptions {
  readonly stageHandlers: readonly StageHandlers[];
  /** Called with the text of an operation that the manifest does not have. */
  readonly onUnknown: Safelist['onUnknown'];
  /** The graph that the first one replaces; absent at the start of the process. */
  readonly previous: Graph | undefined;
}

/**
 * The operations of the manifest that a starting gateway warms up before it is ready, from the first. The others follow
 * beside requests: a request for one of these waits for its own plan and at most for one other.
 */
const warmedUpBeforeReady = 200;

/**
 * Reads the supergraph and the manifest. A replacement is warmed up before it takes over.
 *
 * @throws {SupergraphError}, {ManifestError} or {RemoteFileError} when one of them cannot be read
 */
export async function openGraphFiles(
  config: GatewayConfig,
  parts: ProcessParts,
  { stageHandlers, onUnknown, previous }: GraphFilesOptions,
) {
  const { logger, reloads } = parts;
  const { file } = config;
  const { safelist: safelisting, experimental_prewarm_query_plan_cache: prewarming } = file.persisted_queries;
  const { cache, warmed_up_queries: warmedUp = Math.floor(cache.in_memory.limit / 3) } =
    file.supergraph.query_planning;
  const queue = createSerialQueue();
  const warmUp = new GraphWarmUp({ cost: highestCostRules(config.tiers), logger });
  let isRetired = false;
  let mirror: Mirror | undefined;
  let manifest: ManifestSource | undefined;
  let graphs: GraphSource;
  try {
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
      onReplaced: () => parts.streams.moveAll(),
      queue,
      ...reloads,
    });
  } catch (error) {
    mirror?.close();
    await manifest?.close();
    throw error;
  }
  const graph = graphs.current;
  const listed = manifest?.current;
  manifest?.settle();
  manifest?.beforeChange((next) => warmUp.run(graph(), next, { isPlanned: prewarming.on_reload }));
  return {
    graph,
    /** Undefined where persisted queries are off. */
    manifest: listed,
    /** The files in force. */
    running: (): RunningState => ({
      hashes: { configuration: config.configHash, manifest: listed?.().hash, supergraph: graph().hash },
      manifestOperations: listed?.().operations.length ?? 0,
      unrunnableOperations: warmUp.unrunnableOn(graph()),
    }),
    /**
     * Stays with the files in force, once another configuration has taken over: requests under way may keep this one for
     * long.
     */
    retire(): void {
      isRetired = true;
      mirror.close();
      void manifest?.close();
      graphs.stopReloads();
    },
    isRetired: () => isRetired,
    async close(): Promise<void> {
      warmUp.stop();
      await manifest?.close();
      await graphs.close();
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

async function openManifestOf(
  { manifests, graph }: GatewayConfig,
  { manifestMemory: memory, manifestFaults: faults, usage, reloads }: ProcessParts,
  queue: SerialQueue,
): Promise<ManifestSource | undefined> {
  if (manifests === undefined) {
    return undefined;
  }
  const registry = usage?.identifiers;
  return await openManifest({ ...manifests, graph, memory, faults, registry, queue, ...reloads });
}

function warnOfPublicHints(supergraph: Supergraph, logger: Logger): void {
  const publicFields = publicHints(supergraph);
  if (publicFields.length > 0) {
    logger.warn({ publicFields }, 'fields that require authentication have public cache hints');
  }
}
