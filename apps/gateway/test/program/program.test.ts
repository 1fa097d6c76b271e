import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runScript } from '@meridian/testing';

import { defaultConfigPath } from '../../src/default-files.ts';

const program = new URL('../../src/program.ts', import.meta.url);
const supergraph = fileURLToPath(new URL('../../../../supergraph.graphql', import.meta.url));
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'meridian-program-'));
});
afterAll(async () => await rm(directory, { recursive: true }));

describe('meridian-gateway', () => {
  it('has a help that names its flags and its commands', async () => {
    const { code, stdout } = await runScript(program, {}, ['--help']);
    expect(code).toBe(0);
    for (const word of [
      '--supergraph',
      '--config',
      '--dev',
      '--version',
      '--subgraph',
      'compose',
      'check',
      'plan',
      'explain',
    ]) {
      expect(stdout).toContain(word);
    }
  });

  it.each(['compose', 'check', 'plan', 'explain'])('%s has a help of its own', async (command) => {
    const { code, stdout } = await runScript(program, {}, [command, '--help']);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining(`Usage: meridian-gateway ${command}`),
    });
  });

  it('rejects an unknown command', async () => {
    expect(await runScript(program, {}, ['chek'])).toEqual({
      code: 2,
      stdout: '',
      stderr: "Unexpected argument 'chek': see meridian-gateway --help\n",
    });
  });

  it('says in one line that a supergraph is missing', async () => {
    const { code, stderr } = await runScript(program, {}, [
      '--supergraph',
      join(directory, 'none.graphql'),
      '--config',
      defaultConfigPath,
      '--port=0',
      '--admin-port=0',
    ]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^Cannot load the supergraph: .*none\.graphql is not there or not readable; meridian-gateway compose makes one of subgraphs\n$/u,
      ),
    });
  });
});

describe('npx meridian-gateway', () => {
  it('stops the gateway in order when only npx receives SIGTERM', async () => {
    const bin = join(directory, 'node_modules', '.bin');
    await mkdir(bin, { recursive: true });
    await writeFile(
      join(bin, 'meridian-gateway'),
      `#!/bin/sh\nexec '${process.execPath}' '${fileURLToPath(program)}' "$@"\n`,
    );
    await chmod(join(bin, 'meridian-gateway'), 0o755);
    const npx = spawn(
      'npx',
      ['--offline', 'meridian-gateway', `--supergraph=${supergraph}`, '--port=0', '--admin-port=0'],
      {
        cwd: directory,
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const log: Record<string, unknown>[] = [];
    for await (const line of createInterface({ input: npx.stdout })) {
      log.push(JSON.parse(line) as Record<string, unknown>);
      if (log.at(-1)?.['msg'] === 'gateway is listening') {
        npx.kill('SIGTERM');
      }
    }
    // The gateway has its standard output until it ends.
    expect(log.map(({ msg }) => msg)).toEqual(expect.arrayContaining(['stopping', 'stopped']));
    expect(npx.exitCode ?? npx.signalCode ?? (await once(npx, 'exit'))).toBeDefined();
  });
});
