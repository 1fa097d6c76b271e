import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runScript } from '@meridian/testing';

import { dataDirectoryAt } from '../src/data-directory.ts';
import { readStackRecord, removeStackRecord, writeStackRecord } from '../src/stack-record.ts';

const nowhere = 'postgresql://meridian_gateway@127.0.0.1:1/meridian_gateway';
const record = { gatewayAdminUrl: 'http://127.0.0.1:8088', gatewayDatabaseUrl: nowhere };

let directory: string;
let running: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'meridian-usage-'));
  running = dataDirectoryAt(directory).running;
});
afterEach(async () => {
  await rm(directory, { recursive: true });
});

function usage(env: Readonly<Record<string, string>> = {}) {
  return runScript(new URL('../src/usage.ts', import.meta.url), env, ['--data', directory]);
}

describe('pnpm usage', () => {
  it('says in one line that there is neither a stack nor DATABASE_URL', async () => {
    expect(await usage()).toEqual({
      code: 1,
      stdout: '',
      stderr:
        "There is no database: no stack runs (pnpm start), and DATABASE_URL, the gateway's database, is not set\n",
    });
  });

  it.each([
    ['of the stack that runs', {}],
    ['that DATABASE_URL names', { DATABASE_URL: nowhere }],
  ])('asks the database %s', async (_which, env) => {
    writeStackRecord(running, record);
    const { code, stderr } = await usage(env);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/ECONNREFUSED|cannot be reached/u)]);
  });
});

describe('the record of a stack', () => {
  it('is there while the stack runs, readable by its owner only', async () => {
    expect(readStackRecord(running)).toBeUndefined();
    writeStackRecord(running, record);
    expect(readStackRecord(running)).toMatchObject(record);
    removeStackRecord(running);
    expect(readStackRecord(running)).toBeUndefined();
  });

  it('does not count when its stack was killed', async () => {
    await writeFile(running, JSON.stringify({ ...record, pid: 1, startedAt: 'long ago' }));
    expect(readStackRecord(running)).toBeUndefined();
  });
});
