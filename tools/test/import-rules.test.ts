// Breaks each rule of .dependency-cruiser.js in a workspace of its own, and sees dependency-cruiser name it.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const repository = resolve(import.meta.dirname, '../..');

/** File → what it imports, all allowed. */
const allowed = {
  'apps/accounts/src/main.ts': ['@meridian/auth', './config.ts'],
  'apps/accounts/src/config.ts': [],
  'apps/accounts/src/accounts/account.ts': [],
  'apps/accounts/src/routes/accounts/get-account.ts': ['../../store/account-store.ts'],
  'apps/accounts/src/store/account-store.ts': ['../accounts/account.ts'],
  'apps/accounts/test/main.test.ts': ['@meridian/testing', '../src/main.ts'],
  'apps/gateway/src/main.ts': ['./app.ts'],
  'apps/gateway/src/composition/follow-subgraphs.ts': [],
  'apps/gateway/src/app.ts': ['./pipeline/2-identify/identify.ts', './pipeline/4-admit/admit.ts'],
  'apps/gateway/src/pipeline/2-identify/identify.ts': ['./token.ts', '@meridian/auth'],
  'apps/gateway/src/pipeline/2-identify/token.ts': [],
  'apps/gateway/src/pipeline/4-admit/admit.ts': [],
  'packages/core/auth/src/index.ts': ['@meridian/problem-details', 'peer'],
  'packages/graph/executor/src/index.ts': [],
  'packages/graph/executor/src/fast-path/compile-fast-path.ts': [],
  'packages/graph/executor/src/run/run-plan.ts': ['../fast-path/compile-fast-path.ts'],
  'packages/graph/executor/src/slow-path/compile-slow-path.ts': [],
  'packages/core/http/src/index.ts': ['@meridian/auth', '@meridian/telemetry'],
  'packages/core/http/src/exchange/exchange.ts': [],
  'packages/core/http/src/fast-path/fast-path.ts': ['../exchange/exchange.ts'],
  'packages/development/postgres/src/index.ts': [],
  'packages/development/postgres/src/egg.ts': ['./chicken.ts'],
  'packages/core/problem-details/src/index.ts': [],
  'packages/services/subgraph/src/index.ts': ['@meridian/http'],
  'packages/core/telemetry/src/index.ts': [],
  'packages/development/testing/src/index.ts': ['@meridian/postgres', '@meridian/executor'],
  'tools/commands/gateway.ts': ['../../apps/gateway/src/main.ts'],
  'tools/commands/rules.ts': ['../rules/check-rules.ts'],
  'tools/rules/check-rules.ts': [],
};

/** A forbidden import: a rule, the file that breaks it, and the import. */
const forbidden: readonly (readonly [rule: string, file: string, imported: string])[] = [
  ['imports-of-core', 'packages/core/http/src/upward.ts', '@meridian/subgraph'],
  ['imports-of-services', 'packages/services/subgraph/src/sideward.ts', '@meridian/executor'],
  ['imports-of-graph', 'packages/graph/executor/src/upward.ts', '@meridian/postgres'],
  ['package-never-imports-app', 'packages/core/telemetry/src/upward.ts', '@meridian/accounts/main.ts'],
  ['app-never-imports-app', 'apps/accounts/src/sideward.ts', '@meridian/gateway/app.ts'],
  ['workspace-by-name', 'apps/accounts/src/by-path.ts', '../../../packages/core/auth/src/index.ts'],
  ['commands-by-name', 'tools/rules/by-path.ts', '../../packages/core/auth/src/index.ts'],
  ['commands-are-entries', 'tools/rules/upward.ts', '../commands/rules.ts'],
  ['testing-only-from-tests', 'apps/accounts/src/tested.ts', '@meridian/testing'],
  ['src-never-imports-test', 'apps/accounts/src/from-test.ts', '../test/main.test.ts'],
  ['service-without-development-tools', 'apps/accounts/src/store.ts', '@meridian/postgres'],
  ['gateway-knows-no-subgraph', 'apps/gateway/src/subgraphs.ts', '@meridian/subgraph'],
  ['features-on-demand', 'apps/gateway/src/main.ts', './composition/follow-subgraphs.ts'],
  ['store-below-edges', 'apps/accounts/src/store/upward.ts', '../routes/accounts/get-account.ts'],
  ['domain-below-store', 'apps/accounts/src/accounts/upward.ts', '../store/account-store.ts'],
  ['stage-never-imports-stage', 'apps/gateway/src/pipeline/3-compile/back.ts', '../2-identify/identify.ts'],
  ['rooms-of-gateway-commands', 'apps/gateway/src/commands/check.ts', '../pipeline/2-identify/identify.ts'],
  ['configuration-knows-no-stage', 'apps/gateway/src/config/upward.ts', '../pipeline/2-identify/identify.ts'],
  [
    'executor-paths-apart',
    'packages/graph/executor/src/fast-path/sideward.ts',
    '../slow-path/compile-slow-path.ts',
  ],
  ['executor-paths-apart', 'packages/graph/executor/src/slow-path/upward.ts', '../run/run-plan.ts'],
  ['executor-compiles-below-run', 'packages/graph/executor/src/compile/upward.ts', '../run/run-plan.ts'],
  ['http-rooms-downward', 'packages/core/http/src/server/upward.ts', '../fast-path/fast-path.ts'],
  ['no-cycle', 'packages/development/postgres/src/chicken.ts', './egg.ts'],
  ['declared-dependencies', 'packages/core/auth/src/undeclared.ts', 'left-pad'],
  ['declared-dependencies', 'packages/core/auth/src/for-tests-too.ts', 'peer-and-dev'],
  ['declared-workspaces-of-apps/accounts', 'apps/accounts/src/undeclared.ts', '@meridian/http'],
  ['resolvable', 'packages/core/auth/src/nowhere.ts', './no-such-file.ts'],
];

let workspace: string;

beforeAll(async () => {
  workspace = await mkdtemp(join(tmpdir(), 'meridian-imports-'));
  const packages = new Set(
    Object.keys(allowed)
      .filter((path) => !path.startsWith('tools/'))
      .map(workspaceOf),
  );
  const exports = { '.': './src/index.ts', './*': './src/*' };
  for (const path of packages) {
    const name = basename(path);
    const manifest = {
      name: `@meridian/${name}`,
      exports,
      dependencies: everyVersionOf(workspacesImportedBy(path)),
      devDependencies: everyVersionOf(['peer-and-dev']),
      peerDependencies: everyVersionOf(['peer', 'peer-and-dev']),
    };
    await write(`${path}/package.json`, JSON.stringify(manifest));
    await mkdir(join(workspace, 'node_modules/@meridian'), { recursive: true });
    await symlink(join(workspace, path), join(workspace, 'node_modules/@meridian', name));
  }
  for (const name of ['left-pad', 'peer', 'peer-and-dev']) {
    await write(`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' }));
    await write(`node_modules/${name}/index.js`, '');
  }
  for (const [file, specifiers] of Object.entries(allowed)) {
    await write(file, specifiers.map((specifier) => `import '${specifier}';\n`).join(''));
  }
  for (const [, file, specifier] of forbidden) {
    await write(file, `import '${specifier}';\n`);
  }
});

afterAll(() => rm(workspace, { recursive: true, force: true }));

/** The workspace imports in a package's files, allowed or not; except those that are undeclared on purpose. */
function workspacesImportedBy(folder: string): string[] {
  const files = [
    ...Object.entries(allowed),
    ...forbidden.flatMap(([rule, file, specifier]): [string, string[]][] =>
      rule.startsWith('declared-') ? [] : [[file, [specifier]]],
    ),
  ];
  return files
    .filter(([file]) => file.startsWith(`${folder}/src/`))
    .flatMap(([, specifiers]) => specifiers)
    .flatMap(
      (specifier) =>
        /^(?:@meridian\/|.*packages\/[^/]+\/)(?<name>[^/]+)/u.exec(specifier)?.groups?.['name'] ?? [],
    )
    .map((name) => `@meridian/${name}`);
}

/** The folder of the app or the package that has a file. */
function workspaceOf(path: string): string {
  return path
    .split('/')
    .slice(0, path.startsWith('apps/') ? 2 : 3)
    .join('/');
}

const everyVersionOf = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, '*']));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(workspace, path)), { recursive: true });
  await writeFile(join(workspace, path), text);
}

describe('The import rules', () => {
  it('refuse each import in the wrong direction, and no other', async () => {
    const { exitCode, output } = await cruise();
    const violations = [...output.matchAll(/^ +error (?<violation>\S+: \S+)/gmu)].map(
      ([, violation]) => violation,
    );
    expect(new Set(violations)).toEqual(new Set(forbidden.map(([rule, file]) => `${rule}: ${file}`)));
    expect(exitCode).toBeGreaterThan(0);
  });

  it('are each broken by a case', async () => {
    const { default: configuration }: { default: { forbidden: readonly { name: string }[] } } = await import(
      join(repository, '.dependency-cruiser.js')
    );
    // Generated for each package: one case breaks them all.
    const nameOf = (rule: string): string => /^(?:declared-workspaces|rooms)-of-/u.exec(rule)?.[0] ?? rule;
    const broken = new Set(forbidden.map(([rule]) => nameOf(rule)));
    expect(
      configuration.forbidden.map(({ name }) => nameOf(name)).filter((rule) => !broken.has(rule)),
    ).toEqual([]);
  });
});

/** Runs dependency-cruiser as `pnpm structure` does, in the workspace. */
function cruise(): Promise<{ exitCode: number; output: string }> {
  const program = join(repository, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const arguments_ = [
    program,
    'apps',
    'packages',
    'tools',
    '--config',
    join(repository, '.dependency-cruiser.js'),
  ];
  return new Promise((done) => {
    execFile(process.execPath, arguments_, { cwd: workspace }, (error, stdout, stderr) => {
      done({ exitCode: Number(error?.code ?? 0), output: stdout + stderr });
    });
  });
}
