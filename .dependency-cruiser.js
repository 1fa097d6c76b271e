// The imports that ARCHITECTURE.md allows, as rules: downward only, apps → packages, shelf by shelf.
//
// `pnpm structure` checks them, from the root; tools/test/import-rules.test.ts breaks each one and sees it fail.
// Files that nothing reaches are knip's business.
import { globSync, readFileSync } from 'node:fs';

/**
 * Shelf of packages/ → the shelves that a package on it may import, besides its own. A package of `development` may
 * import any.
 */
const shelves = {
  core: [],
  services: ['core'],
  graph: ['core'],
};

/** The folder of an app or of a package. */
const workspace = '(?:apps/[^/]+|packages/[^/]+/[^/]+)';

/** Room of packages/core/http → the rooms that it may import. `http-server.ts` is above these, and `process` above it. */
const httpRooms = {
  exchange: [],
  middleware: ['exchange'],
  express: ['exchange', 'middleware'],
  server: ['exchange'],
  'fast-path': ['exchange', 'server'],
};

/** Files that no image runs: they may import development dependencies of the workspace. */
const developmentOnly = [
  'apps/gateway/src/explorer/open-explorer.ts',
  'apps/gateway/src/composition/compose-command.ts',
  'apps/gateway/src/composition/follow-subgraphs.ts',
];

/** The apps of one layout: ARCHITECTURE.md, "The map". */
const services = globSync('apps/*/src/store')
  .map((path) => path.split('/')[1])
  .join('|');
/** Where a service responds, or works by itself: each reads through the store. */
const edges = 'routes|resolvers|loaders|dispatch';

/** Rooms of the gateway → the rooms that they must not know. `figures` is the commands' entry to the pipeline. */
const gatewayNevers = {
  commands: ['pipeline', 'graph'],
  manifest: ['pipeline', 'telemetry', 'supergraph'],
  operation: ['supergraph', 'pipeline', 'config'],
  reload: ['telemetry', 'manifest', 'graph'],
  subgraphs: ['executor', 'pipeline'],
  supergraph: ['manifest', 'pipeline'],
  telemetry: ['explain', 'pipeline'],
};

/** The entries of what a gateway loads only where its configuration, or its command line, asks for it. */
const featuresOnDemand = [
  'composition/(compose-command|follow-subgraphs)',
  'coprocessor/open-coprocessor',
  'executor/apollo-executor',
  'explain/open-explain',
  'explorer/open-explorer',
  'graphs/open-graphs',
  'hooks/open-hooks',
  'mcp/open-mcp',
  'program/run-gateway',
  'response-cache/cache-responses',
  'subscriptions/open-subscriptions',
  'telemetry/open-tracing',
  'uploads/receive-uploads',
  'usage/open-usage',
  'websocket/serve-web-sockets',
];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...Object.entries(shelves).map(importsOfShelf),
    {
      name: 'package-never-imports-app',
      comment: 'Apps are above packages.',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^apps/' },
    },
    {
      name: 'app-never-imports-app',
      comment: 'Apps meet over HTTP; what two of them need is a package.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'workspace-by-name',
      comment: 'Another package is imported as @meridian/<name>: its `exports` are its API.',
      severity: 'error',
      from: { path: `^(${workspace})/` },
      to: { path: '^(apps|packages)/', pathNot: '^$1/', dependencyTypes: ['local'] },
    },
    {
      name: 'commands-by-name',
      comment:
        'A command reaches an app or a package through its `exports`; by path only an entry that images run too, and tests.',
      severity: 'error',
      from: { path: '^tools/', pathNot: '^tools/test/' },
      to: {
        path: `^${workspace}/src/`,
        pathNot: '^(apps/(gateway|storefront)/src/main|packages/services/database/src/migrate)\\.ts$',
        dependencyTypes: ['local'],
      },
    },
    {
      name: 'commands-are-entries',
      comment: 'What two commands need is beside tools/commands/, or in a package.',
      severity: 'error',
      from: {},
      to: { path: '^tools/commands/' },
    },
    {
      name: 'testing-only-from-tests',
      comment: 'packages/development/testing is for test/ folders.',
      severity: 'error',
      from: {
        path: '^(apps|packages)/',
        pathNot: [`^${workspace}/test/`, '^packages/development/testing/'],
      },
      to: { path: '^packages/development/testing/' },
    },
    {
      name: 'src-never-imports-test',
      comment: 'What src needs lives in src.',
      severity: 'error',
      from: { path: `^${workspace}/src/` },
      to: { path: `^${workspace}/test/` },
    },
    {
      name: 'service-without-development-tools',
      comment: 'What runs in production knows no PostgreSQL from npm and no local stack.',
      severity: 'error',
      from: { path: '^apps/[^/]+/src/' },
      to: { path: '^packages/development/(?!testing/)' },
    },
    {
      name: 'gateway-knows-no-subgraph',
      comment: 'The gateway knows subgraphs only as a supergraph and URLs.',
      severity: 'error',
      from: { path: '^apps/gateway/src/' },
      to: { path: '^packages/services/(subgraph|tenant-loaders|demo-data)/' },
    },
    {
      name: 'features-on-demand',
      comment: 'What is not configured is not loaded: assembly/load-features.ts and its like import it.',
      severity: 'error',
      from: { path: '^apps/gateway/src/' },
      to: {
        path: `^apps/gateway/src/(${featuresOnDemand.join('|')})\\.ts$`,
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'store-below-edges',
      comment: 'Routes, resolvers, loaders and what sends read through stores; a store knows none of them.',
      severity: 'error',
      from: { path: `^apps/(${services})/src/store/` },
      to: { path: `^apps/[^/]+/src/(${edges})/` },
    },
    {
      name: 'domain-below-store',
      comment: 'The folders of the domain say what is valid. They know neither the store nor the edges.',
      severity: 'error',
      from: { path: `^apps/(${services})/src/[^/]+/`, pathNot: `^apps/[^/]+/src/(store|${edges})/` },
      to: { path: `^apps/[^/]+/src/(store|${edges})/` },
    },
    {
      name: 'stage-never-imports-stage',
      comment: 'The stages of the pipeline are joined by app.ts, in order, on one screen.',
      severity: 'error',
      from: { path: '^apps/gateway/src/pipeline/([^/]+)/' },
      to: { path: '^apps/gateway/src/pipeline/[^/]+/', pathNot: '^apps/gateway/src/pipeline/$1/' },
    },
    {
      name: 'configuration-knows-no-stage',
      comment: 'The configuration declares the options that it produces; what works by them imports them.',
      severity: 'error',
      from: { path: '^apps/gateway/src/config/' },
      to: { path: '^apps/gateway/src/', pathNot: '^apps/gateway/src/config/' },
    },
    ...Object.entries(gatewayNevers).map(([room, rooms]) => ({
      name: `rooms-of-gateway-${room}`,
      comment: `The gateway's ${room}/ knows nothing of ${rooms.join(', ')}: see ARCHITECTURE.md, "What may import what".`,
      severity: 'error',
      from: { path: `^apps/gateway/src/${room}/` },
      to: { path: `^apps/gateway/src/(${rooms.join('|')})/` },
    })),
    {
      name: 'executor-paths-apart',
      comment:
        'The fast path and the slow path do not know each other, and `selections`, which both share, knows neither.',
      severity: 'error',
      from: { path: '^packages/graph/executor/src/(fast-path|slow-path|selections)/' },
      to: {
        path: '^packages/graph/executor/src/(fast-path|slow-path|compile|run)/',
        pathNot: '^packages/graph/executor/src/$1/',
      },
    },
    {
      name: 'executor-compiles-below-run',
      comment: 'A plan is compiled without its runs: of the paths, only their compilers are known.',
      severity: 'error',
      from: { path: '^packages/graph/executor/src/compile/' },
      to: {
        path: '^packages/graph/executor/src/(run|fast-path|slow-path)/',
        pathNot: '^packages/graph/executor/src/(fast|slow)-path/compile-',
      },
    },
    ...Object.entries(httpRooms).map(([room, below]) => ({
      name: 'http-rooms-downward',
      comment:
        'An exchange knows neither what serves it nor what carries it; http-server.ts joins what carries it.',
      severity: 'error',
      from: { path: `^packages/core/http/src/${room}/` },
      to: {
        path: '^packages/core/http/src/',
        pathNot: `^packages/core/http/src/(${[room, ...below].join('|')})/`,
      },
    })),
    {
      name: 'no-cycle',
      comment: 'Two files that import each other are one file, or three.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'declared-dependencies',
      comment:
        'src imports only what its own package.json lists under `dependencies` or `peerDependencies` alone (types aside): an image has nothing else.',
      severity: 'error',
      from: { path: `^${workspace}/src/` },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only'],
      },
    },
    ...Array.from(workspaces().values(), declaredWorkspacesOf),
    {
      name: 'resolvable',
      comment: 'An import that leads nowhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Contenders are run where they are installed, below .data/.
    exclude: { path: '(^|/)(\\.(data|turbo)|contenders)/' },
    // `import type` counts: a type is a dependency on the package that owns it.
    tsPreCompilationDeps: true,
    // Each package answers for its own package.json.
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.json', '.d.ts'],
    },
  },
};

/**
 * The folders of all apps and packages, by name. Folders without a package.json are left out: a subgraph that runs
 * elsewhere, or what another branch has left.
 */
function workspaces() {
  return new Map(
    ['apps/*', 'packages/*/*']
      .flatMap((folders) => globSync(`${folders}/package.json`))
      .toSorted((one, other) => one.localeCompare(other))
      .map((file) => [JSON.parse(readFileSync(file, 'utf8')).name, file.slice(0, -'/package.json'.length)]),
  );
}

/**
 * The rule `declared-dependencies` for the packages of this workspace, which dependency-cruiser takes for local files.
 */
function declaredWorkspacesOf(folder) {
  const { dependencies = {} } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const folders = workspaces();
  const declared = Object.keys(dependencies).flatMap((name) => folders.get(name) ?? []);
  return {
    name: `declared-workspaces-of-${folder}`,
    comment: `${folder}/package.json lists under \`dependencies\` what its src imports of the workspace.`,
    severity: 'error',
    from: { path: `^${folder}/src/`, pathNot: developmentOnly.map((path) => `^${path}`) },
    to: {
      path: '^packages/',
      pathNot: [folder, ...declared].map((path) => `^${path}/`),
      dependencyTypesNot: ['type-only'],
    },
  };
}

/** One shelf as a rule. What a package imports of its own shelf, its package.json lists. */
function importsOfShelf([shelf, allowed]) {
  return {
    name: `imports-of-${shelf}`,
    comment: `packages/${shelf} may import ${allowed.map((other) => `packages/${other}`).join(', ') || 'no other shelf'}.`,
    severity: 'error',
    from: { path: `^packages/${shelf}/[^/]+/src/` },
    to: { path: '^packages/', pathNot: `^packages/(${[shelf, ...allowed].join('|')})/` },
  };
}
