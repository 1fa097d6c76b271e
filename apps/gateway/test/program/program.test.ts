import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runScript } from '@meridian/testing';

import { defaultConfigPath } from '../../src/default-files.ts';

const program = new URL('../../src/program.ts', import.meta.url);
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
