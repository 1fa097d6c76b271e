import { basename } from 'node:path';

/** A package of the workspace, as it is published. */
export interface Publication {
  /** In the workspace. `release.json` has the published name. */
  readonly name: string;
  /** From the root. Has the package.json that says what it is. */
  readonly folder: string;
  /** The README of the published package, from the root. */
  readonly readme: string;
  /** Subpath → the module that it exports. */
  readonly exports: Readonly<Record<string, string>>;
  /** Program → the module that it runs. */
  readonly bin: Readonly<Record<string, string>>;
  /** Names of modules that are loaded by their place beside the others, as threads are. */
  readonly threads: Readonly<Record<string, string>>;
  /**
   * Packages that a bundled program leaves outside; everything else from npm is in it. Absent for a library, which
   * depends on all of them.
   */
  readonly leavesOutside?: readonly string[];
  /** Packages among these that few users need. */
  readonly optionalPeers: readonly string[];
  /** Folders that are published as they are. */
  readonly assets: readonly string[];
  /** Documents of `docs` that the program's messages and its README name. */
  readonly documents: readonly string[];
}

const planner = { 'run-planner': 'packages/graph/executor/src/planning/run-planner.ts' };

/** Every published package; `release.json` has the names. */
export const publications: readonly Publication[] = [
  {
    ...library('gateway'),
    folder: 'apps/gateway',
    readme: 'docs/install.md',
    // Types alone.
    exports: { './hooks': 'apps/gateway/src/hooks/hooks.ts' },
    bin: { 'meridian-gateway': 'apps/gateway/src/program.ts' },
    threads: { ...planner, 'watch-hooks': 'apps/gateway/src/hooks/watch-hooks.ts' },
    // Optional modules of packages that are inside: nobody has them, and nothing is missing.
    leavesOutside: ['@apollo/gateway', 'pg-native', '@node-rs/xxhash', 'bufferutil', 'utf-8-validate'],
    optionalPeers: ['@apollo/gateway'],
    assets: ['defaults'],
    documents: [
      'attacks.md',
      'differences-from-apollo-router.md',
      'first-gateway.md',
      'migrate-from-apollo-gateway.md',
      'migrate-from-apollo-router.md',
      'observability.md',
      'production.md',
      'router-yaml.md',
    ],
  },
  {
    ...library('graph/executor'),
    exports: {
      '.': 'packages/graph/executor/src/index.ts',
      './subscriptions': 'packages/graph/executor/src/subscriptions.ts',
    },
    threads: planner,
  },
  {
    ...library('services/subgraph'),
    exports: {
      '.': 'packages/services/subgraph/src/index.ts',
      // The parts that host a subgraph.
      './service': 'packages/services/service/src/index.ts',
      './http': 'packages/core/http/src/index.ts',
      './http/express': 'packages/core/http/src/express/express-app.ts',
      './auth': 'packages/core/auth/src/index.ts',
      './database': 'packages/services/database/src/index.ts',
      './telemetry': 'packages/core/telemetry/src/index.ts',
      './config': 'packages/core/settings/src/environment/index.ts',
    },
  },
  library('services/tenant-loaders'),
  library('core/problem-details'),
  library('services/etag'),
  library('graph/router-config'),
];

/**
 * A package with one entry, which depends on all that it imports.
 *
 * @param place its folder in packages/
 */
function library(place: string): Publication {
  const folder = `packages/${place}`;
  return {
    name: `@meridian/${basename(place)}`,
    folder,
    readme: `${folder}/README.md`,
    exports: { '.': `${folder}/src/index.ts` },
    bin: {},
    threads: {},
    optionalPeers: [],
    assets: [],
    documents: [],
  };
}
