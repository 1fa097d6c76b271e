// The npm packages, as a stranger installs them: tarballs in an empty folder, without this repository. They have another
// scope than this repository's release, since release.json alone names them.
// INSTALL_MATRIX (`pnpm test:install`) chooses package managers and versions of Node, and takes what comes from npm from
// the machine's registry, as it is there today.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { releaseConfig } from '../../../release/release-config.ts';
import { readmePrograms } from '../../release/readme-programs.ts';
import { copyWorkspace, inScope, scopeOf } from './copy-workspace.ts';
import { installMatrix } from './install-matrix.ts';
import type { PackageManager, PackageSource, Project } from './project.ts';
import { createProject, startProgram, stop } from './project.ts';
import type { Registry } from './registry.ts';
import { startRegistry } from './registry.ts';
import { supergraphOf } from './supergraph.ts';
import { processorSeconds, stopTree } from './process-tree.ts';
import { programThatUses } from './use-libraries.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const scope = '@another-scope';
const names = inScope(releaseConfig.names, scope);
const gateway = names['@meridian/gateway'] ?? '';
const { INSTALL_MATRIX: chosen } = process.env;
const cases = installMatrix(chosen ?? 'npm@24 pnpm@24');

let directory: string;
let subgraph: Server;
let supergraph: string;
let registry: Registry;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'meridian-packages-'));
  const workspace = join(directory, 'workspace');
  copyWorkspace(root, workspace);
  writeFileSync(join(workspace, 'release.json'), JSON.stringify({ ...releaseConfig, names }));
  execFileSync(process.execPath, ['tools/commands/pack-all.ts', '--out', directory], { cwd: workspace });
  registry = await startRegistry(
    globSync(join(directory, '*.tgz')),
    chosen === undefined ? { root } : { root, upstream: npm('config', 'get', 'registry').trim() },
  );
  subgraph = createServer((request, response) => {
    void text(request).then((body) =>
      body.includes('broken')
        ? response.writeHead(500).end()
        : response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"data":{"hello":"world"}}'),
    );
  }).listen(0, '127.0.0.1');
  await once(subgraph, 'listening');
  const address = subgraph.address();
  supergraph = supergraphOf(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`);
  // Packing takes half a minute of processor time, of which a busy machine may have a tenth.
}, 600_000);
afterAll(() => {
  registry.close();
  subgraph.close();
  subgraph.closeAllConnections();
  rmSync(directory, { recursive: true });
});

/** The program of a version of Node, from the npm package; this process's own where it is the same version. */
function nodeOf(version: string): string {
  if (process.versions.node.startsWith(`${version}.`)) {
    return process.execPath;
  }
  const folder = join(directory, `node-${version}`);
  const program = join(folder, 'node_modules/node/bin/node');
  if (!existsSync(program)) {
    npm('install', '--no-audit', '--no-fund', '--prefix', folder, `node@${version}`);
  }
  return program;
}

function npm(...args: readonly string[]): string {
  return execFileSync('npm', args, { encoding: 'utf8' });
}

const sourceOf = (manager: PackageManager): PackageSource => ({
  registry: registry.url,
  cache: join(directory, `cache-${manager}`),
});

async function ask(url: string, query: string): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  return await response.json();
}

describe.each(cases)('The gateway, installed by $manager on Node $version,', ({ manager, version }) => {
  let project: Project;
  const program = `node_modules/${gateway}/dist/meridian-gateway.js`;
  const served = /serves .* at (\S+)$/u;

  beforeAll(async () => {
    project = await createProject(manager, nodeOf(version), { [gateway]: '*' }, sourceOf(manager));
    writeFileSync(join(project.directory, 'supergraph.graphql'), supergraph);
  });
  afterAll(() => rmSync(project.directory, { recursive: true }));

  it('takes less than 20 MB', () => {
    const report = execFileSync('du', ['-sLm', 'node_modules'], { cwd: project.directory, encoding: 'utf8' });
    expect(Number.parseInt(report, 10)).toBeLessThan(20);
  });

  it('serves a supergraph with nothing beside it', async () => {
    const { child, found } = await project.start([program, '--port=0', '--admin-port=0'], served);
    expect(await ask(found[1] ?? '', 'query Hello { hello }')).toEqual({ data: { hello: 'world' } });
    await stop(child);
  });

  it('serves in several processes, with the explorer for development', async () => {
    const args = [program, '--workers=2', '--port=0', '--admin-port=0', '--dev'];
    const { child, found } = await project.start(args, served);
    const [, url = ''] = found;
    expect(await ask(url, '{ hello }')).toEqual({ data: { hello: 'world' } });
    const page = await fetch(new URL('explorer/main.js', url));
    expect({ status: page.status, length: (await page.text()).length > 10_000 }).toEqual({
      status: 200,
      length: true,
    });
    await stop(child);
  });

  it('checks a configuration, and shows a plan', async () => {
    writeFileSync(join(project.directory, 'router.yaml'), 'supergraph: { path: /graph }\n');
    writeFileSync(join(project.directory, 'hello.graphql'), 'query Hello { hello }');
    expect((await project.run([program, 'check', 'router.yaml'])).stdout).toContain('supergraph.path');
    expect((await project.run([program, 'plan', 'hello.graphql'])).stdout).toContain('1 fetch in 1 round');
    rmSync(join(project.directory, 'router.yaml'));
  });

  it('composes a supergraph, and running subgraphs', async () => {
    const subgraphs = {
      hello: { routing_url: 'http://a/', schema: { sdl: 'type Query { hello: String }' } },
    };
    writeFileSync(join(project.directory, 'supergraph.yaml'), JSON.stringify({ subgraphs }));
    const { stdout } = await project.run([program, 'compose', 'supergraph.yaml']);
    expect(stdout).toContain('hello: String');
    const running = createServer((_request, response) => {
      response.end('{"data":{"_service":{"sdl":"type Query { hello: String }"},"hello":"world"}}');
    }).listen(0, '127.0.0.1');
    await once(running, 'listening');
    const address = running.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
    const args = [program, '--dev', `--subgraph=hello=${url}`, '--port=0', '--admin-port=0'];
    const { child, found } = await project.start(args, served);
    expect(await ask(found[1] ?? '', '{ hello }')).toEqual({ data: { hello: 'world' } });
    await stop(child);
    running.close();
    running.closeAllConnections();
  });

  it('says which package stock @apollo/gateway is in', async () => {
    writeFileSync(join(project.directory, 'apollo.yaml'), 'meridian: { executor: apollo }\n');
    const args = [program, '--config=apollo.yaml', '--port=0', '--admin-port=0'];
    await expect(project.run(args)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('npm install @apollo/gateway@'),
    });
  });

  it('runs stock @apollo/gateway beside it, which has a graphql of its own', async () => {
    const scope = join(project.directory, 'node_modules/@apollo');
    mkdirSync(scope);
    symlinkSync(
      realpathSync(join(root, 'apps/gateway/node_modules/@apollo/gateway')),
      join(scope, 'gateway'),
    );
    const args = [program, '--config=apollo.yaml', '--port=0', '--admin-port=0'];
    const { child, found } = await project.start(args, served);
    expect(await ask(found[1] ?? '', 'query Hello { hello }')).toEqual({ data: { hello: 'world' } });
    expect(await ask(found[1] ?? '', 'query Broken { broken }')).toMatchObject({
      data: { broken: null },
      errors: [{ path: ['broken'], extensions: { code: 'SUBREQUEST_HTTP_ERROR' } }],
    });
    await stop(child);
  });
});

describe('The scope of release.json', () => {
  it('is in all that is packed, and no other', () => {
    const build = join(directory, 'build');
    const texts = globSync('**/*.{js,ts,json,md}', { cwd: build }).map((file) =>
      readFileSync(join(build, file), 'utf8'),
    );
    const count = (part: string): number => texts.filter((one) => one.includes(part)).length;
    expect(count(`${scope}/`)).toBeGreaterThan(Object.keys(names).length);
    expect(count(`${scopeOf(releaseConfig.names)}/`)).toBe(0);
    // A name of this repository is on npm a package of somebody else.
    expect(texts.filter((one) => /from ['"]@meridian\//u.test(one))).toEqual([]);
  });
});

describe('npx, with the gateway in its cache,', () => {
  it('answers after less than 3 s of processor time', async () => {
    const folder = join(directory, 'npx');
    mkdirSync(folder);
    writeFileSync(join(folder, 'supergraph.graphql'), supergraph);
    const { registry, cache } = sourceOf('npm');
    const call = [
      'npx',
      '--yes',
      `--registry=${registry}`,
      `--cache=${cache}`,
      gateway,
      '--port=0',
      '--admin-port=0',
    ];
    const start = () =>
      startProgram(call, { node: process.execPath, directory: folder, line: /serves .* at (\S+)$/u });
    // Fills the cache, from which the second start installs.
    await stopTree((await start()).child);
    rmSync(join(cache, '_npx'), { recursive: true });
    const { child, found } = await start();
    const response = await ask(found[1] ?? '', 'query Hello { hello }');
    const seconds = processorSeconds(child);
    await stopTree(child);
    expect(response).toEqual({ data: { hello: 'world' } });
    expect(seconds).toBeLessThan(3);
  });
});

describe('The libraries, installed by npm,', () => {
  let project: Project;

  beforeAll(async () => {
    project = await createProject(
      'npm',
      nodeOf('24'),
      {
        ...Object.fromEntries(Object.values(names).map((name) => [name, '*'])),
        '@apollo/server': '5',
        '@types/node': '24',
        graphql: '16',
      },
      sourceOf('npm'),
    );
    writeFileSync(join(project.directory, 'supergraph.graphql'), supergraph);
    writeFileSync(join(project.directory, 'use.ts'), programThatUses(names));
    writeExamples(project.directory);
  });
  afterAll(() => rmSync(project.directory, { recursive: true }));

  it('run, the executor below an Apollo Server', async () => {
    expect(JSON.parse((await project.run(['use.ts'])).stdout)).toEqual({
      data: { hello: 'world' },
      twice: 42,
      path: '/graph',
      tag: true,
      status: 412,
      functions: ['function', 'function'],
    });
  });

  it.each(['nodenext', 'bundler'])(
    'have types, and READMEs with examples, for moduleResolution %s',
    (moduleResolution) => {
      const compilerOptions = {
        strict: true,
        noEmit: true,
        target: 'es2024',
        types: ['node'],
        skipLibCheck: true,
        moduleResolution,
        module: moduleResolution === 'bundler' ? 'esnext' : 'nodenext',
      };
      const file = join(project.directory, 'tsconfig.json');
      writeFileSync(file, JSON.stringify({ compilerOptions, include: ['use.ts', 'example-*.ts'] }));
      const compiler = join(root, 'node_modules/typescript/bin/tsc');
      expect(() =>
        execFileSync(process.execPath, [compiler, '-p', file], { encoding: 'utf8' }),
      ).not.toThrow();
    },
  );
});

/** Writes the examples in the READMEs of the installed libraries, a program each. */
function writeExamples(folder: string): void {
  const examples = Object.values(names).flatMap((name) =>
    readmePrograms(readFileSync(join(folder, 'node_modules', name, 'README.md'), 'utf8')),
  );
  expect(examples.length).toBeGreaterThan(Object.keys(names).length);
  examples.forEach((example, index) => writeFileSync(join(folder, `example-${index + 1}.ts`), example));
}
