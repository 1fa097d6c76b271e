// A new subgraph from the command to a field served by the gateway, and its removal, in a copy of the checkout.
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { screenOf } from '../../../packages/local-stack/test/e2e/screen-of.ts';
import { printToken, startStack } from '../../../packages/local-stack/test/e2e/stack-under-test.ts';
import { pathOf } from '../graph/shipped-subgraphs.ts';

const run = promisify(execFile);
const pnpm = ['npx', '--yes', 'pnpm@12.21.0'] as const;

describe('A new subgraph', () => {
  let folder: string;
  let checkout: string;

  /** Runs a program in the copy. Rejects with its output when it fails. */
  async function inCopy(program: string, ...args: readonly string[]): Promise<string> {
    const options = { cwd: checkout, maxBuffer: 16 * 1024 * 1024, env: { ...process.env, NO_COLOR: '1' } };
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
  const command = (name: string, ...args: readonly string[]): Promise<string> =>
    inCopy(...pnpm, name, ...args);
  /** The changes since the copy was made. */
  const changes = (): Promise<string> => inCopy('git', 'status', '--porcelain', '--untracked-files=all');

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'meridian-create-'));
    checkout = join(folder, 'checkout');
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
    expect(await command('create-subgraph', 'addedbytest', '--type', 'Gizmo', '--entity', 'Product')).toMatch(
      /^Gizmo is served at port \d+, owned by @meridian\/addedbytest\./mu,
    );
    expect(await command('create-subgraph', 'plainbytest')).toMatch(/^Plainbytest is served at port \d+/mu);
  });

  it('passes the checks of pnpm verify that a subgraph can fail', async () => {
    await inCopy('node_modules/.bin/tsc', '-p', '.');
    await inCopy(
      'node_modules/.bin/oxlint',
      '--type-aware',
      '--deny-warnings',
      'apps/addedbytest',
      'apps/plainbytest',
    );
    for (const check of ['docker-check', 'prose']) {
      await inCopy(process.execPath, `tools/commands/${check}.ts`);
    }
    await inCopy(process.execPath, 'tools/commands/compose.ts', '--check', '--offline');
    await inCopy('node_modules/.bin/oxfmt', '--check');
    expect(await inCopy(process.execPath, 'tools/commands/apps-check.ts')).toMatch(
      /^apps: \d+ apps, \d+ lists, 0 faults$/mu,
    );
  });

  it('passes its own tests', async () => {
    expect(await command('test:suite', 'apps/addedbytest', 'apps/plainbytest')).toMatch(
      /^Test Suites: 4 passed, 4 total$/mu,
    );
  });

  it('is served by the gateway, joined with the type that it extends', async () => {
    const data = join(folder, 'data');
    const stack = startStack('program', data, { cwd: checkout });
    try {
      await stack.writes('Ctrl-C stops everything');
      const url = screenOf(stack.output()).urls.get('gateway') ?? '';
      const authorization = `Bearer ${await printToken(data)}`;
      const query = `query NewSubgraphs {
        gizmos(first: 1) { name product { name } }
        topProducts(first: 1) { name gizmos(first: 1) { name } }
        plainbytests(first: 1) { name }
      }`;
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization },
        body: JSON.stringify({ query }),
      });
      const product = { name: expect.stringMatching(/./u) };
      expect(await response.json()).toEqual({
        data: {
          gizmos: [{ name: 'Gizmo 1', product }],
          topProducts: [{ ...product, gizmos: [{ name: 'Gizmo 1' }] }],
          plainbytests: [{ name: 'Plainbytest 1' }],
        },
      });
    } finally {
      process.kill(stack.pid, 'SIGINT');
      await stack.ended;
    }
  });

  it('is not removed while git does not have it, and leaves nothing when it is', async () => {
    await expect(command('remove-subgraph', 'plainbytest')).rejects.toThrow(
      /git does not have \d+ changed files of it: /u,
    );
    await command('remove-subgraph', 'plainbytest', '--force');
    await command('remove-subgraph', 'addedbytest', '--force');
    expect(await changes()).toBe('');
  });
});
