// A short soak, with each kind of event in it: half an hour of it is a command, `pnpm soak --minutes 30`.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { processesIn, runScript } from '@meridian/testing';

let dataRoot: string;

beforeAll(async () => {
  dataRoot = await mkdtemp(join(tmpdir(), 'meridian-soak-'));
});
afterAll(async () => {
  await rm(dataRoot, { recursive: true, force: true });
});

describe('pnpm soak', () => {
  it('passes with no wrong response, no failed request, and flat memory while services fail and files change', async () => {
    const { code, stdout, stderr } = await runScript(
      new URL('../../../../../tools/commands/soak.ts', import.meta.url),
      { PATH: process.env['PATH'] ?? '' },
      ['--minutes', '2', '--clients', '8', '--rate', '40', '--data', dataRoot],
    );
    const verdict = stdout.split('\n').filter((line) => /^(?:ok {4}|FAILED) {2}/u.test(line));
    expect(verdict.filter((line) => line.startsWith('FAILED'))).toEqual([]);
    // Each at least once; how many more there are depends on the machine.
    const [, events] = /^ok {6}(\d+) events of 11 kinds; all recovered from$/mu.exec(stdout) ?? [];
    expect(Number(events)).toBeGreaterThanOrEqual(11);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });

    await expect(readFile(join(dataRoot, 'soak.txt'), 'utf8')).resolves.toContain('\npassed\n');
    expect(processesIn(dataRoot)).toEqual([]);
  });
});
