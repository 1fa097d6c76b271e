import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '@meridian/local-stack';
import type { ListedOperation } from '../load/operations.ts';
import { soakOperations } from '../load/operations.ts';

/**
 * Longer than shipped, so that a busy machine causes no timeout: the run looks for wrong responses, not for late ones.
 */
export const reviewsTimeoutMs = 3000;
/** The subgraph's own deadline; shorter, as at every hop. */
export const reviewsDeadlineMs = 2500;

/** The files that the gateway of a run reads and follows: copies, never the checkout's own. */
export class GatewayFiles {
  readonly #paths: Readonly<Record<'manifest' | 'config' | 'supergraph', string>>;

  /** Names the files, and writes none yet. */
  constructor(root: string) {
    const folder = join(root, 'gateway-files');
    mkdirSync(folder, { recursive: true });
    this.#paths = {
      manifest: join(folder, 'persisted-queries.json'),
      config: join(folder, 'overlay.yaml'),
      supergraph: join(folder, 'supergraph.graphql'),
    };
  }

  /** Their paths. */
  get environment(): Readonly<Record<string, string>> {
    return {
      ROUTER_CONFIG_PATH: join(checkout, 'router.yaml'),
      ROUTER_CONFIG_OVERLAY_PATH: this.#paths.config,
      SUPERGRAPH_PATH: this.#paths.supergraph,
    };
  }

  /** Replaces the manifest: the operations of the load, and one marker. */
  writeManifest(marker: ListedOperation): void {
    const operations = [...soakOperations(), marker];
    const manifest = { format: 'apollo-persisted-query-manifest', version: 1, operations };
    replace(this.#paths.manifest, JSON.stringify(manifest));
  }

  /** Replaces the overlay of router.yaml. */
  writeConfig(maxAliases: number): void {
    replace(this.#paths.config, JSON.stringify(overlay(this.#paths.manifest, maxAliases), null, 2));
  }

  /** Replaces the supergraph by one with this cache hint on `me`. */
  writeSupergraph(maxAgeSeconds: number): void {
    const shipped = readFileSync(join(checkout, 'supergraph.graphql'), 'utf8');
    replace(this.#paths.supergraph, shipped.replace(/^( *me: User .*maxAge: )\d+/mu, `$1${maxAgeSeconds}`));
  }

  /** Breaks one of them. The next write fixes it. */
  damage(file: 'manifest' | 'config' | 'supergraph'): void {
    replace(this.#paths[file], '{ half of i');
  }
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
