import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { createProcessRecord, stopRecorded } from '../../src/run/process-record.ts';

describe('stopRecorded', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'meridian-record-'));
    path = join(folder, 'processes.json');
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('ends what an earlier stack had recorded and left running', async () => {
    const child = spawn('sleep', ['60']);
    await once(child, 'spawn');
    createProcessRecord(path).add('reviews', Number(child.pid));
    const exited = once(child, 'exit');
    await expect(stopRecorded(path)).resolves.toEqual(['reviews']);
    await expect(exited).resolves.toEqual([null, 'SIGTERM']);
    expect(existsSync(path)).toBe(false);
  });

  it('spares a process that has the pid of a recorded one', async () => {
    writeFileSync(path, JSON.stringify([{ name: 'reviews', pid: process.pid, startedAt: 'long ago' }]));
    await expect(stopRecorded(path)).resolves.toEqual([]);
  });

  it('does nothing for a damaged or missing record', async () => {
    await expect(stopRecorded(path)).resolves.toEqual([]);
    writeFileSync(path, '[{"name":');
    await expect(stopRecorded(path)).resolves.toEqual([]);
  });

  it('removes the record once all recorded processes have ended', () => {
    const record = createProcessRecord(path);
    record.add('accounts', process.pid);
    expect(existsSync(path)).toBe(true);
    record.remove(process.pid);
    expect(existsSync(path)).toBe(false);
  });
});
