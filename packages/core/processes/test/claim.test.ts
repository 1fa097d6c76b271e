import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { claim, findProcess, releaseClaim } from '../src/index.ts';

describe('claim', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'meridian-claim-'));
    path = join(folder, 'claim.json');
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('gives a path to one process at a time', async () => {
    await expect(claim(path)).resolves.toBeUndefined();
    await expect(claim(path)).resolves.toEqual({
      pid: process.pid,
      startedAt: findProcess(process.pid)?.startedAt,
    });
    await releaseClaim(path);
    await expect(claim(path)).resolves.toBeUndefined();
    expect(readdirSync(folder)).toEqual(['claim.json']);
  });

  it('forgets the claim of a process that has ended', async () => {
    const { pid } = spawnSync('true');
    writeFileSync(path, JSON.stringify({ pid, startedAt: 'then' }));
    await expect(claim(path)).resolves.toBeUndefined();
  });

  it('forgets the claim of a process whose pid is another’s now', async () => {
    writeFileSync(path, JSON.stringify({ pid: process.pid, startedAt: 'long ago' }));
    await expect(claim(path)).resolves.toBeUndefined();
  });

  it('forgets a claim that is damaged', async () => {
    writeFileSync(path, '{"pid":');
    await expect(claim(path)).resolves.toBeUndefined();
  });
});
