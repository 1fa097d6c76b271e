// .ci/run in a directory of its own, with a stand-in for npx on the PATH: what it counts, and how it ends.
import { spawn } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const script = resolve(import.meta.dirname, '../../.ci/run');

let checkout: string;
beforeEach(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'meridian-ci-'));
  await cp(script, join(checkout, '.ci/run'));
  await mkdir(join(checkout, 'bin'));
});
afterEach(() => rm(checkout, { recursive: true, force: true }));

describe('.ci/run', () => {
  it('adds up the runs of jest and the checks, and exits 0 when all passed', async () => {
    await commandsOf({
      test: 'echo "Tests:       30 passed, 30 total"; echo "Tests:       2 skipped, 5 passed, 7 total"',
      system: 'echo "Tests:       8 passed, 8 total"',
      verify: 'echo " Tasks:    7 successful, 7 total"',
    });
    expect(await runCi()).toMatchObject({ exitCode: 0, lastLine: '50 passed, 0 failed' });
  });

  it('names what failed, and what passed only when it ran again, before the last line', async () => {
    await commandsOf({
      test: 'echo "  ● Console"; echo "  ● A cart › has a total"; echo "  ● A cart › has a total"; echo "Tests:       1 failed, 3 passed, 4 total"; exit 1',
      system: 'echo " LOGGING RETRY ERRORS  A soak › passes"; echo "Tests:       8 passed, 8 total"',
      verify: 'echo " Tasks:    6 successful, 7 total"; echo "Failed:    //#lint"; exit 1',
    });
    const { output } = await runCi();
    expect(output.slice(output.indexOf('\nPassed only'))).toBe(
      [
        '',
        'Passed only when they ran again:',
        ' LOGGING RETRY ERRORS  A soak › passes',
        '',
        'Failed:',
        '  ● A cart › has a total',
        '',
        'Failed checks:',
        'Failed:    //#lint',
        '',
        '17 passed, 2 failed',
        '',
      ].join('\n'),
    );
  });

  it('reads coloured lines', async () => {
    await commandsOf({
      test: String.raw`printf '\033[1mTests:       \033[22m\033[1m\033[31m1 failed\033[39m\033[22m, \033[32m3 passed\033[39m, 4 total\n'; exit 1`,
      verify: 'echo " Tasks:    7 successful, 7 total"',
    });
    expect(await runCi()).toMatchObject({ exitCode: 1, lastLine: '10 passed, 1 failed' });
  });

  it('counts a run that fails without a failed test as one failure', async () => {
    await commandsOf({
      test: 'echo "Test Suites: 1 failed, 3 passed, 4 total"; echo "Tests:       9 passed, 9 total"; exit 1',
      verify: 'echo " Tasks:    7 successful, 7 total"',
    });
    expect(await runCi()).toMatchObject({ exitCode: 1, lastLine: '16 passed, 1 failed' });
  });

  it('prints what ran beside other steps in one piece after them, and counts it', async () => {
    await commandsOf({
      test: 'echo "Tests:       3 passed, 3 total"',
      images:
        'echo "  ● An image › starts"; sleep 0.1; echo "Tests:       1 failed, 4 passed, 5 total"; exit 1',
      verify: 'sleep 0.3; echo " Tasks:    7 successful, 7 total"',
    });
    const { exitCode, lastLine, output } = await runCi();
    expect({ exitCode, lastLine }).toEqual({ exitCode: 1, lastLine: '14 passed, 1 failed' });
    expect(output).toMatch(
      /── images, beside others\n {2}● An image › starts\nTests: {7}1 failed, .*\nimages took \d+ s\n/u,
    );
    expect(output.indexOf('── images')).toBeGreaterThan(output.indexOf('differential took'));
  });

  it('fails when nothing ran at all', async () => {
    await commandsOf({ test: 'true', verify: 'true' });
    expect(await runCi()).toMatchObject({ exitCode: 1, lastLine: '0 passed, 0 failed' });
  });

  it('still prints the summary line when it is stopped', async () => {
    await commandsOf({ test: 'kill -TERM "$CI_PID"; echo "Tests:       1 passed, 1 total"', verify: 'true' });
    expect(await runCi()).toMatchObject({
      exitCode: 1,
      lastLine: expect.stringMatching(/^\d+ passed, 1 failed$/u),
    });
  });
});

/**
 * Puts an npx on the PATH that runs these lines of shell for `pnpm test`, `test:system`, `images` and `verify`, and
 * the programs of Debian that CI would install.
 */
async function commandsOf(commands: {
  test: string;
  system?: string;
  images?: string;
  verify: string;
}): Promise<void> {
  const { test, system = 'true', images = 'true', verify } = commands;
  const lines = [
    '#!/usr/bin/env bash',
    'case "$3" in',
    `test) ${test} ;;`,
    `test:system) ${system} ;;`,
    `images) ${images} ;;`,
    `verify) ${verify} ;;`,
    'esac',
  ];
  const programs = [
    'pgbouncer',
    'redis-server',
    'chromium',
    'haproxy',
    'buildah',
    'podman',
    'runc',
    'mmdebstrap',
    'docker-registry',
    'go',
    'psql',
    'ip',
    'python3',
    'pip3',
  ];
  for (const program of programs) {
    await writeFile(join(checkout, 'bin', program), '#!/bin/sh\n', { mode: 0o755 });
  }
  await writeFile(join(checkout, 'bin/npx'), `${lines.join('\n')}\n`);
  await chmod(join(checkout, 'bin/npx'), 0o755);
}

async function runCi(): Promise<{ exitCode: unknown; lastLine: string | undefined; output: string }> {
  const child = spawn('bash', ['-c', 'export CI_PID=$$; exec bash .ci/run'], {
    cwd: checkout,
    env: { ...process.env, PATH: `${join(checkout, 'bin')}:${process.env['PATH']}` },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exit = new Promise((done) => child.once('exit', done));
  const output = await text(child.stdout);
  return { exitCode: await exit, lastLine: output.trimEnd().split('\n').at(-1), output };
}
