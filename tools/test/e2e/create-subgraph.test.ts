// A new subgraph from the command to a field served by the gateway, and its removal, in a copy of the checkout.
import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { screenOf } from '../../../packages/development/local-stack/test/e2e/screen-of.ts';
import { startStack } from '../../../packages/development/local-stack/test/e2e/stack-under-test.ts';
import type { StackUnderTest } from '../../../packages/development/local-stack/test/e2e/stack-under-test.ts';
import { compileCacheOfCopy, eventually } from '../../../packages/development/testing/src/index.ts';
import { pathOf } from '../graph/shipped-subgraphs.ts';
import { createExternalProgram } from './external/external-program.ts';
import type { ExternalProgram } from './external/external-program.ts';

const run = promisify(execFile);

/** Absent on some machines: the test in Python is skipped there. */
const itWithPython = spawnSync('python3', ['--version']).status === 0 ? it : it.skip;

describe('A new subgraph', () => {
  let stock: ExternalProgram;
  let tips: ExternalProgram;
  let folder: string;
  let checkout: string;
  let env: NodeJS.ProcessEnv;

  /** Runs a program in the copy. Rejects with its output when it fails. */
  async function inCopy(program: string, ...args: readonly string[]): Promise<string> {
    const options = { cwd: checkout, maxBuffer: 16 * 1024 * 1024, env };
    try {
      const { stdout, stderr } = await run(program, args, options);
      return stdout + stderr;
    } catch (error) {
      // The message of `execFile` has what was written to standard error alone; linters write to standard output.
      throw error instanceof Error && 'stdout' in error
        ? new Error(`${error.message}\n${String(error.stdout)}`, { cause: error })
        : error;
    }
  }
  /** Runs pnpm on the copy, from a folder without packages: npx would read all of those in its own. */
  async function command(name: string, ...args: readonly string[]): Promise<string> {
    const { stdout, stderr } = await run('npx', ['--yes', 'pnpm@12.21.0', '--dir', checkout, name, ...args], {
      cwd: folder,
      env,
    });
    return stdout + stderr;
  }
  /** The changes since the copy was made. */
  const changes = (): Promise<string> => inCopy('git', 'status', '--porcelain', '--untracked-files=all');

  beforeAll(async () => {
    stock = await createExternalProgram(
      process.execPath,
      pathOf('packages/services/subgraph/test/external/stock.js'),
    );
    tips = await createExternalProgram('python3', pathOf('tools/test/e2e/external/tips.py'));
    folder = await mkdtemp(join(tmpdir(), 'meridian-create-'));
    checkout = join(folder, 'checkout');
    env = { ...process.env, NO_COLOR: '1', ...(await compileCacheOfCopy(checkout)) };
    const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: pathOf('.'),
      maxBuffer: 16 * 1024 * 1024,
    });
    for (const path of stdout.split('\0').filter((name) => name !== '')) {
      // A file that was removed, and not yet committed, is still listed.
      await cp(pathOf(path), join(checkout, path)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') {
          throw error;
        }
      });
    }
    await inCopy('git', 'init', '--quiet');
    await inCopy('git', 'add', '--all');
    const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.org'];
    await inCopy('git', ...author, 'commit', '--quiet', '--no-verify', '--message', 'as it is');
    await command('install', '--frozen-lockfile', '--prefer-offline');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is created by one command, with or without a type that it extends', async () => {
    expect(await changes()).toBe('');
    expect(
      await command('create-subgraph', 'added-by-test', '--type', 'BlueGizmo', '--entity', 'Product'),
    ).toMatch(/^BlueGizmo is served at port \d+, owned by @meridian\/added-by-test\./mu);
    // A switch to another branch leaves this of a subgraph.
    await mkdir(join(checkout, 'apps/plainbytest/node_modules/.bin'), { recursive: true });
    expect(await command('create-subgraph', 'plainbytest')).toMatch(/^Plainbytest is served at port \d+/mu);
  });

  it('is registered by one command where it runs elsewhere', async () => {
    const register = (name: string, port: number, ...flags: readonly string[]): Promise<string> =>
      inCopy(
        process.execPath,
        'tools/commands/create-subgraph.ts',
        name,
        '--external',
        `http://127.0.0.1:${port}/graphql`,
        '--owner',
        '@acme/stock',
        ...flags,
      );
    expect(await register('stock-by-test', 1, '--schema', stock.schema, '--header', 'x-region')).toMatch(
      /^stock-by-test is asked at http:\/\/127\.0\.0\.1:\d+\/graphql, owned by @acme\/stock\. /mu,
    );
    await expect(register('again-by-test', tips.port, '--schema', stock.schema)).rejects.toThrow(
      /again-by-test does not compose with the others, and nothing is written:\n {2}.*Query\.depots/u,
    );
    await register('tips-by-test', tips.port, '--schema', tips.schema);
    expect(await inCopy(process.execPath, 'tools/commands/graph.ts', 'who', 'Depot.city')).toMatch(
      /stock-by-test.*apps\/stock-by-test\/schema\.graphql.*owned by @acme\/stock/u,
    );
  });

  it('passes the checks of pnpm verify that a subgraph can fail', async () => {
    // Of the two alone: that the rest compiles is checked where it changes.
    await writeFile(
      join(checkout, '.data/tsconfig.json'),
      JSON.stringify({
        extends: '../tsconfig.json',
        compilerOptions: { incremental: false, tsBuildInfoFile: null },
        include: ['../apps/added-by-test', '../apps/plainbytest'],
      }),
    );
    await inCopy('node_modules/.bin/tsc', '-p', '.data');
    await inCopy(
      'node_modules/.bin/oxlint',
      '--type-aware',
      '--deny-warnings',
      'apps/added-by-test',
      'apps/plainbytest',
    );
    await inCopy('node_modules/.bin/depcruise', 'apps/added-by-test', 'apps/plainbytest');
    for (const app of ['apps/added-by-test', 'apps/plainbytest']) {
      await inCopy(process.execPath, 'tools/commands/prose.ts', '--in', app);
    }
    await inCopy(process.execPath, 'tools/commands/compose.ts', '--check', '--offline');
    await inCopy('node_modules/.bin/oxfmt', '--check');
    expect(await inCopy(process.execPath, 'tools/commands/apps-check.ts')).toMatch(
      /^apps: \d+ apps, \d+ lists, 0 faults$/mu,
    );
  });

  it('passes its own tests', async () => {
    expect(await inCopy('node_modules/.bin/jest', 'apps/added-by-test', 'apps/plainbytest')).toMatch(
      /^Test Suites: 4 passed, 4 total$/mu,
    );
  });

  describe('in pnpm start', () => {
    let stack: StackUnderTest;
    let ask: (query: string) => Promise<unknown>;
    let follow: (query: string, signal: AbortSignal) => Promise<() => string>;
    const product = { name: expect.stringMatching(/./u) };

    beforeAll(async () => {
      await stock.start();
      const data = join(folder, 'data');
      const url = `http://127.0.0.1:${stock.port}/graphql`;
      stack = startStack('program', data, { cwd: checkout, env: { ...env, STOCK_BY_TEST_URL: url } });
      await stack.writes('Ctrl-C stops everything');
      const gateway = screenOf(stack.output()).urls.get('gateway') ?? '';
      // With the scope of a new mutation.
      const session = await fetch(new URL('/explorer/session', gateway));
      const { token } = (await session.json()) as { token: string };
      const headers = {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        'x-region': 'eu',
        'x-other': 'x',
      };
      ask = async (query) => {
        const response = await fetch(gateway, { method: 'POST', headers, body: JSON.stringify({ query }) });
        return await response.json();
      };
      follow = async (query, signal) => {
        const response = await fetch(gateway, {
          method: 'POST',
          headers: { ...headers, accept: 'text/event-stream' },
          body: JSON.stringify({ query }),
          signal,
        });
        let received = '';
        const read = async (): Promise<void> => {
          for await (const chunk of response.body ?? []) {
            received += Buffer.from(chunk).toString();
          }
        };
        read().catch(() => {});
        return () => received;
      };
    });
    afterAll(async () => {
      process.kill(stack.pid, 'SIGINT');
      await stack.ended;
      await Promise.all([stock.stop(), tips.stop()]);
    });

    it('is served by the gateway, joined with the type that it extends', async () => {
      const query = `{
        blueGizmos(first: 1) { name product { name } }
        topProducts(first: 1) { name blueGizmos(first: 1) { name } }
        plainbytests(first: 1) { name }
      }`;
      expect(await ask(query)).toEqual({
        data: {
          blueGizmos: [{ name: 'Blue gizmo 1', product }],
          topProducts: [{ ...product, blueGizmos: [{ name: 'Blue gizmo 1' }] }],
          plainbytests: [{ name: 'Plainbytest 1' }],
        },
      });
    });

    it('tells subscribers of the gateway what is added', async () => {
      const controller = new AbortController();
      const received = await follow('subscription { plainbytestAdded { name } }', controller.signal);
      // The place where it begins.
      await eventually(() => expect(received()).toContain('id: '));
      expect(await ask('mutation { addPlainbytest(name: "New") { name } }')).toEqual({
        data: { addPlainbytest: { name: 'New' } },
      });
      await eventually(() =>
        expect(received()).toContain(
          'data: {"data":{"plainbytestAdded":{"name":"New"}},"extensions":{"cursor":',
        ),
      );
      controller.abort();
    });

    it('is asked elsewhere, with the header fields that app.yaml names', async () => {
      await stack.writes(`stock-by-test runs elsewhere, at http://127.0.0.1:${stock.port}/graphql`);
      const query = '{ depots { city } receivedFields topProducts(first: 1) { name depot { city } } }';
      const response = await ask(query);
      expect(response).toEqual({
        data: {
          depots: [{ city: 'Bonn' }, { city: 'Graz' }],
          receivedFields: expect.arrayContaining(['x-region']),
          topProducts: [{ ...product, depot: { city: 'Bonn' } }],
        },
      });
      expect(JSON.stringify(response)).not.toMatch(/authorization|cookie|x-other/u);
    });

    it('has fields that are null while it does not respond elsewhere', async () => {
      await stack.writes(
        `tips-by-test, which runs elsewhere, does not respond at http://127.0.0.1:${tips.port}/graphql. Until it responds, its fields are null: Product.tip, Query.tips. For another address, set TIPS_BY_TEST_URL`,
      );
      expect(await ask('{ tips topProducts(first: 1) { name tip } }')).toMatchObject({
        data: { tips: null, topProducts: [{ ...product, tip: null }] },
      });
    });

    itWithPython('is asked elsewhere in Python, as soon as it responds', async () => {
      await tips.start();
      const response = await ask('{ tips topProducts(first: 1) { name tip } }');
      // oxlint-disable-next-line jest/no-standalone-expect -- within `it`, by another name
      expect(response).toEqual({
        data: { tips: ['Keep dry'], topProducts: [{ ...product, tip: 'Keep dry' }] },
      });
    });
  });

  it('is not removed while git does not have it, and leaves nothing when it is', async () => {
    await expect(
      inCopy(process.execPath, 'tools/commands/remove-subgraph.ts', 'plainbytest'),
    ).rejects.toThrow(/git does not have \d+ changed files of it: /u);
    await command('remove-subgraph', 'plainbytest', '--force');
    await command('remove-subgraph', 'added-by-test', '--force');
    for (const name of ['stock-by-test', 'tips-by-test']) {
      await inCopy(process.execPath, 'tools/commands/remove-subgraph.ts', name, '--force');
    }
    expect(await changes()).toBe('');
  });
});
