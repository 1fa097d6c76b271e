import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';

import { createTokenVerifier } from '@meridian/auth';
import type { TokenVerifier } from '@meridian/auth';
import type { Logger, Metrics } from '@meridian/telemetry';

import { createApp } from './app.ts';
import type { GatewayConfig, PersistedQueries } from './config.ts';
import type { Graph } from './graph.ts';
import { createGraph } from './graph.ts';
import { checkManifest } from './manifest/check-manifest.ts';
import { isListed } from './manifest/listed-texts.ts';
import type { ManifestSource } from './manifest/manifest-source.ts';
import { openManifest } from './manifest/manifest-source.ts';
import { createAutomaticQueries } from './pipeline/1-identify/automatic-queries.ts';
import type { OperationSources } from './pipeline/1-identify/find-operation.ts';
import type { Safelist } from './pipeline/2-admit/check-safelist.ts';
import { createThrottle } from './pipeline/2-admit/throttle.ts';
import { createSubgraphClient } from './subgraphs/subgraph-client.ts';
import { SupergraphError, loadSupergraph } from './supergraph/load-supergraph.ts';
import type { Supergraph } from './supergraph/load-supergraph.ts';
import { watchFiles } from './watch-files.ts';

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
  readonly close: () => Promise<void>;
}

/**
 * Puts the gateway together: the supergraph, the manifest, and what the pipeline works with. Both files are read again
 * when they change; a bad new one is refused, with a line in the log, and the one of before stays.
 *
 * @throws {SupergraphError} or {ManifestError} where one of them cannot be read at first
 */
export async function openGateway(options: GatewayOptions): Promise<Gateway> {
  const { config, logger, metrics, checkFilesEveryMs = 1000 } = options;
  const { persistedQueries, cost } = config;
  const client = createSubgraphClient();
  const verifier = createVerifier(config, logger);
  const manifest =
    persistedQueries &&
    openManifest({
      ...persistedQueries,
      paths: persistedQueries.manifestPaths,
      logger,
      checkEveryMs: checkFilesEveryMs,
    });
  const safelist = createSafelist(persistedQueries, manifest, logger);

  const openGraph = async (): Promise<Graph> => {
    const opened = await createGraph(readSupergraph(config.supergraphPath), {
      config,
      client,
      safelist,
      logger,
    });
    if (manifest !== undefined) {
      checkManifest(manifest.current(), { compile: opened.compile, cost, logger });
    }
    return opened;
  };
  let graph = await openGraph();
  manifest?.onChange((changed) => checkManifest(changed, { compile: graph.compile, cost, logger }));
  const stopWatching = watchFiles([config.supergraphPath], checkFilesEveryMs, () => void reload());
  const reload = async (): Promise<void> => {
    try {
      const previous = graph;
      graph = await openGraph();
      logger.info('the supergraph was read again');
      await previous.close();
    } catch (error) {
      logger.error({ err: error }, 'the changed supergraph is refused; the one of before stays');
    }
  };

  return {
    handler: createApp({
      config,
      graph: () => graph,
      verifier,
      sources: operationSources(config, manifest, logger),
      throttle: createThrottle(config.throttle),
      logger,
      metrics,
    }),
    async close() {
      stopWatching();
      manifest?.close();
      verifier?.close();
      await graph.close();
      await client.close();
    },
  };
}

function readSupergraph(path: string): Supergraph {
  let sdl: string;
  try {
    sdl = readFileSync(path, 'utf8');
  } catch (error) {
    throw new SupergraphError(`Cannot load the supergraph: ${path} is not there or not readable`, {
      cause: error,
    });
  }
  return loadSupergraph(sdl);
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
  logger: Logger,
): OperationSources {
  return {
    manifest: manifest?.current,
    isIdRequired: persistedQueries?.isIdRequired ?? false,
    automaticQueries: automaticQueries === undefined ? undefined : createAutomaticQueries(automaticQueries),
    onUnknown: persistedQueries?.logsUnknown ? logUnknown(logger) : undefined,
  };
}

function logUnknown(logger: Logger): (text: string) => void {
  return (text) => logger.warn({ operation: text }, 'unknown operation');
}
