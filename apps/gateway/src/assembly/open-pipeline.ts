import type { Exchange, ServeExchange } from '@meridian/http';
import type { Logger } from '@meridian/telemetry';

import type { AppDependencies } from '../app.ts';
import { createApp } from '../app.ts';
import { createReferenceCount } from '../concurrency/reference-count.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';
import { verifiesTokens } from '../config/issuers.ts';
import type { Graph } from '../graph/graph.ts';
import { createCookieCheck, createOriginCheck } from '../interceptors/cors.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { createAdHocSources } from '../pipeline/2-identify/ad-hoc-sources.ts';
import { createAutomaticQueries } from '../pipeline/2-identify/automatic-queries.ts';
import { identifyCaller } from '../pipeline/2-identify/identify-caller.ts';
import { createTokenSources } from '../pipeline/2-identify/token-sources.ts';
import type { Features } from './load-features.ts';
import { loadFeatures } from './load-features.ts';
import type { GraphFiles } from './open-graph-files.ts';
import { openGraphFiles } from './open-graph-files.ts';
import type { ProcessParts } from './process-parts.ts';
import type { CompiledOperation } from '../operation/compiled-operation.ts';
import type { OperationSources } from '../pipeline/2-identify/find-operation.ts';

/**
 * Opens everything that is derived from one configuration, ready for requests: the code at its stages, the graph and the
 * manifest, and the dependencies of the endpoints.
 *
 * @param previous the graph that the first one replaces; absent at the start of the process
 */
export async function openPipeline(config: GatewayConfig, parts: ProcessParts, previous?: Graph) {
  const { logger, shared } = parts;
  const { automaticQueries, file } = config;
  const { persisted_queries: persistedQueries, authorization, meridian } = file;
  const features = await loadFeatures(config);
  const onUnknown = persistedQueries.log_unknown ? logUnknown(logger) : undefined;
  const adHoc = createAdHocSources();
  let files: GraphFiles;
  const stages = await openStageHandlers(config, parts, { features, graph: () => files.graph(), adHoc });
  const { handlers: stageHandlers } = stages;
  try {
    files = await openGraphFiles(config, parts, { stageHandlers, onUnknown, previous });
  } catch (error) {
    await stages.close();
    throw error;
  }
  const { graph, manifest } = files;

  const verifier = verifiesTokens(config) ? parts.verifierOf(config) : undefined;
  const tokenSources = verifier && createTokenSources(file, createCookieCheck(file));
  const load = parts.createLoad(config.load, parts.eventLoop.delayMs);
  const dependencies = {
    ...parts,
    config,
    stageHandlers,
    receiveUploads: features.uploads?.receiveUploads,
    graph,
    isRetired: files.isRetired,
    verifier,
    tokenSources,
    sources: {
      adHoc,
      manifest,
      isIdRequired: persistedQueries.safelist.require_id,
      automaticQueries:
        automaticQueries && createAutomaticQueries(automaticQueries.in_memory.limit, shared.apqStore),
      onUnknown,
    },
    load,
    rateLimiters: shared.rateLimiters(config),
  };
  const identity = { verifier, isRequired: authorization.require_authentication, sources: tokenSources };
  const requests = createReferenceCount();
  return {
    serve: openEndpoints(dependencies, manifest, features),
    /** The requests that it serves. */
    requests,
    graph,
    webSockets: {
      serveWebSockets: features.webSockets?.serveWebSockets,
      graphPaths: config.graphPaths,
      allowsOrigin: createOriginCheck(file.cors),
      maxMessageBytes: file.limits.http_max_request_bytes,
      checkCredentials: (sender: Pick<Exchange, 'headers' | 'peer'>) => identifyCaller(sender, identity),
      credentialFields: tokenSources?.fields ?? ['authorization'],
    },
    checkRoom: () => load.checkRoom(),
    tools: features.mcp !== undefined && manifest !== undefined ? meridian.mcp : undefined,
    /** The files in force. */
    running: files.running,
    /** Waits until its requests are over. */
    async close() {
      files.retire();
      await requests.whenReleased();
      await files.close();
      await stages.close();
    },
  };
}

/** The most characters of an unknown operation in the log: a text can be as long as a body. */
const maxLoggedText = 4096;

function logUnknown(logger: Logger): (text: string) => void {
  return (text) => logger.warn({ operation: text.slice(0, maxLoggedText) }, 'unknown operation');
}

/** Opens the GraphQL endpoint, and the others in front of it. */
function openEndpoints(
  dependencies: AppDependencies,
  manifest: (() => Manifest) | undefined,
  features: Features,
): ServeExchange {
  const { config, graph, verifierOf, observation, responseCaches, logger } = dependencies;
  const { findExplanations } = observation;
  let app = createApp(dependencies);
  if (manifest !== undefined) {
    app = features.mcp?.openMcp(app, { dependencies, config, manifest, verifierOf }) ?? app;
  }
  if (config.explorer !== undefined) {
    const options = { config, explorer: config.explorer, graph, manifest, findExplanations, logger };
    app = features.explorer?.openExplorer(app, options) ?? app;
  }
  return config.responseCache === undefined ? app : responseCaches.inFront(app, config.responseCache);
}

/** The modules of the code at the stages; requests and their operations for it, once there are some. */
interface StageReaders {
  readonly features: Features;
  readonly graph: () => Graph;
  readonly adHoc: OperationSources['adHoc'];
}

/**
 * Opens the code of the operator at the stages of requests: the hooks and the coprocessor of a configuration.
 *
 * @throws {HooksError}
 */
async function openStageHandlers(
  config: GatewayConfig,
  { logger, hookFiles, coprocessorMetrics, observation }: ProcessParts,
  { features, graph, adHoc }: StageReaders,
) {
  const { hooks: hookSettings, logFormat } = config;
  // The previous configuration may have had some.
  hookFiles.close();
  const hooks =
    hookSettings && (await features.hooks?.openHooks(hookSettings, { files: hookFiles, logFormat, logger }));
  const coprocessor =
    config.file.coprocessor &&
    features.coprocessor?.openCoprocessor(config.file.coprocessor, {
      logger,
      metrics: coprocessorMetrics,
      traceFields: observation.traceFields,
      sdl: () => graph().supergraph.sdl,
      urlOf: (subgraph) => graph().servers.get(subgraph)?.url,
      compile: (text, operationName) => compiledOf(() => graph().compile(adHoc(text), operationName)),
    });
  return {
    handlers: [hooks?.handlers ?? [], coprocessor?.handlers ?? []].flat(),
    async close() {
      await coprocessor?.close();
      await hooks?.close();
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
