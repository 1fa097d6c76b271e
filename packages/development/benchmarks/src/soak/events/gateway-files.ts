import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '@meridian/local-stack';
import type { ListedOperation, Manifest } from '../load/operations.ts';
import { readManifest } from '../load/operations.ts';
import { aliasesOnTheEdge, tooManyAliases, watchReviews } from '../load/soak-operations.ts';

/** The files that the gateway of a run reads and follows: copies, never the checkout's own. */
export interface GatewayFiles {
  /** Their paths. */
  readonly environment: Readonly<Record<string, string>>;
  /** Replaces the manifest: the operations of the load, and one marker. */
  writeManifest(marker: ListedOperation): void;
  /** Replaces the overlay of router.yaml. */
  writeConfig(maxAliases: number): void;
  /** Replaces the supergraph by one with this cache hint on `me`. */
  writeSupergraph(maxAgeSeconds: number): void;
  /** Breaks one of them. The next write fixes it. */
  damage(file: 'manifest' | 'config' | 'supergraph'): void;
}

/**
 * Longer than shipped, so that a busy machine causes no timeout: the run looks for wrong responses, not for late ones.
 */
export const reviewsTimeoutMs = 3000;
/** The subgraph's own deadline; shorter, as at every hop. */
export const reviewsDeadlineMs = 2500;

const folderName = 'gateway-files';

/** The identifiers of the operations of a run come from here as well. */
export function soakManifest(): Manifest {
  return { operations: [...readManifest().operations, tooManyAliases, aliasesOnTheEdge, watchReviews] };
}

/** Names the files, and writes none yet. */
export function createGatewayFiles(root: string): GatewayFiles {
  const folder = join(root, folderName);
  mkdirSync(folder, { recursive: true });
  const paths = {
    manifest: join(folder, 'persisted-queries.json'),
    config: join(folder, 'overlay.yaml'),
    supergraph: join(folder, 'supergraph.graphql'),
  };
  return {
    environment: {
      ROUTER_CONFIG_PATH: join(checkout, 'router.yaml'),
      ROUTER_CONFIG_OVERLAY_PATH: paths.config,
      SUPERGRAPH_PATH: paths.supergraph,
    },
    writeManifest(marker) {
      const operations = [...soakManifest().operations, marker];
      replace(
        paths.manifest,
        JSON.stringify({ format: 'apollo-persisted-query-manifest', version: 1, operations }),
      );
    },
    writeConfig(maxAliases) {
      replace(paths.config, JSON.stringify(overlay(paths.manifest, maxAliases), null, 2));
    },
    writeSupergraph(maxAgeSeconds) {
      const shipped = readFileSync(join(checkout, 'supergraph.graphql'), 'utf8');
      replace(paths.supergraph, withMaxAgeOfMe(shipped, maxAgeSeconds));
    },
    damage: (file) => replace(paths[file], '{ half of i'),
  };
}

function withMaxAgeOfMe(supergraph: string, maxAgeSeconds: number): string {
  return supergraph
    .split('\n')
    .map((line) =>
      line.trimStart().startsWith('me: User ')
        ? line.replace(/maxAge: \d+/u, `maxAge: ${maxAgeSeconds}`)
        : line,
    )
    .join('\n');
}

/** Written in one step, because the gateway may be reading. */
function replace(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

/** The overlay of the shipped router.yaml. JSON is YAML. */
function overlay(manifestPath: string, maxAliases: number): object {
  return {
    persisted_queries: { local_manifests: [manifestPath], hot_reload: true },
    limits: { max_aliases: maxAliases },
    traffic_shaping: {
      // More than any machine can reach.
      router: { global_rate_limit: { capacity: 1_000_000 } },
      subgraphs: { reviews: { timeout: `${reviewsTimeoutMs}ms` } },
    },
    meridian: { throttle: { tenant: { capacity: 1_000_000 } } },
  };
}
