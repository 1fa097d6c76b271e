import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { startStack } from './stack-under-test.ts';
import { processesIn, remainsOf, tracesOf } from '@meridian/testing';

let dataRoot: string;

beforeAll(async () => {
  dataRoot = await mkdtemp(join(tmpdir(), 'meridian-interrupted-'));
});
afterAll(async () => {
  await rm(dataRoot, { recursive: true, force: true });
});

// On one folder, so that each start goes on from what the one before has left.
describe('SIGTERM to pnpm start before everything is ready makes it exit 0 without a process left,', () => {
  it.each([
    ['while it makes the data directory of PostgreSQL', "Making PostgreSQL's data directory"],
    ['while it inserts demo data', 'demo data, 1000 of'],
    ['while services start', 'starting'],
  ])('%s', async (_moment, sign) => {
    const stack = startStack('program', dataRoot);
    await stack.writes(sign);
    process.kill(stack.pid, 'SIGTERM');
    await expect(stack.ended).resolves.toBe(0);
    expect(await stack.allOutput()).not.toMatch(/Error|Ctrl-C stops everything/u);
    expect(processesIn(dataRoot)).toEqual([]);
  });

  it('and the next start works; SIGTERM to it alone, even twice, stops it in order and leaves nothing', async () => {
    const stack = startStack('program', dataRoot);
    await stack.writes('Ctrl-C stops everything');
    const traces = tracesOf(stack.pid);
    process.kill(stack.pid, 'SIGTERM');
    process.kill(stack.pid, 'SIGTERM');
    await expect(stack.ended).resolves.toBe(0);
    expect(remainsOf(traces)).toEqual([]);
    expect(processesIn(dataRoot)).toEqual([]);
  });
});
