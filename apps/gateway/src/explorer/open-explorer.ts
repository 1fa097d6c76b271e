import { readFile, stat } from 'node:fs/promises';

import { introspect } from '@meridian/executor';
import type { ServeExchange } from '@meridian/http';
import type { Logger } from '@meridian/telemetry';

import type { GatewayConfig } from '../config/gateway-config.ts';
import type { FindExplanations } from '../explain/open-explain.ts';
import type { Graph } from '../graph/graph.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { highestCostRules } from '../tiers/tiers.ts';
import { createExplainer } from './create-explainer.ts';
import { graphPagePath, withExplorer } from './with-explorer.ts';

export interface ExplorerOptions {
  readonly config: Pick<GatewayConfig, 'tiers' | 'graphPaths'>;
  readonly explorer: NonNullable<GatewayConfig['explorer']>;
  readonly graph: () => Graph;
  /** Absent where persisted queries are off. */
  readonly manifest: (() => Manifest) | undefined;
  readonly findExplanations: FindExplanations;
  readonly logger: Logger;
}

/** A page that stays open for a working day can still run operations in the evening. */
const tokenTtlSeconds = 12 * 3600;

/**
 * The gateway with the explorer in front of it. The page is a development dependency, which production images lack;
 * it is loaded on the first visit.
 */
export function openExplorer(
  app: ServeExchange,
  { config, explorer, graph, manifest, findExplanations, logger }: ExplorerOptions,
): ServeExchange {
  const page = once(async () => {
    const { bundleExplorer } = await import('@meridian/pages/explorer');
    return await bundleExplorer();
  });
  const openIdentity = once(async () => {
    const { createDevelopmentIdentity, scopesWith } = await import('@meridian/auth/development');
    return (
      explorer.identityPath && {
        identity: await createDevelopmentIdentity(explorer.identityPath),
        scopesWith,
      }
    );
  });
  /** For every scope of the current graph. */
  const signToken = async (): Promise<string | undefined> => {
    const opened = await openIdentity();
    return (
      opened &&
      (await opened.identity.signToken({
        scopes: opened.scopesWith(graph().supergraph.sdl),
        ttlSeconds: tokenTtlSeconds,
      }))
    );
  };
  return withExplorer(app, {
    graphPaths: config.graphPaths,
    page,
    graphPage: async () => await whereThereIs(explorer.graphPagePath, async (path) => await readFile(path)),
    schema: () => introspect(graph().supergraph.apiSchema),
    findRun: (requestId) => findExplanations(requestId).at(-1),
    explain: createExplainer({ graph, cost: highestCostRules(config.tiers) }),
    session: async () => ({
      graphPath: config.graphPaths.at(-1) ?? '/',
      graphPage: (await whereThereIs(explorer.graphPagePath, stat)) && graphPagePath,
      token: await signToken(),
      operations: (manifest?.().operations ?? []).map(({ id, name, text, apps }) => ({
        id,
        name,
        body: text,
        apps,
      })),
    }),
    onFailure: (error, requestId) => logger.error({ err: error, requestId }, 'the explorer failed'),
  });
}

/** The result of an operation on a file; undefined where there is no such file. */
async function whereThereIs<Value>(
  path: string | undefined,
  operation: (path: string) => Promise<Value>,
): Promise<Value | undefined> {
  try {
    return path === undefined ? undefined : await operation(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}

/** Calls the function once and keeps its result. A failed call is repeated. */
function once<Value>(create: () => Promise<Value>): () => Promise<Value> {
  let created: Promise<Value> | undefined;
  return async () => {
    created ??= create();
    try {
      return await created;
    } catch (error) {
      created = undefined;
      throw error;
    }
  };
}
