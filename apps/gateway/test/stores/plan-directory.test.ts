import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, open, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { PlanStore } from '@meridian/executor';
import { eventually } from '@meridian/testing';

import { openPlanDirectory } from '../../src/stores/plan-directory.ts';

let folder: string;
let warnings: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meridian-plans-'));
  warnings = [];
});
afterEach(() => rm(folder, { recursive: true }));

describe('A directory of plans', () => {
  it('returns a plan to every gateway that uses it', async () => {
    const [one, other] = [await opened(), await opened()];
    one.keep(keyOf(1), 'plan 1');
    await eventually(async () => expect(await other.find(keyOf(1))).toBe('plan 1'));
    expect(await other.find(keyOf(2))).toBeUndefined();
  });

  it('keeps the last of the plans that gateways write at the same time, whole', async () => {
    const stores = await Promise.all(Array.from({ length: 8 }, () => opened()));
    const texts = stores.map((_store, index) => `${index}`.repeat(100_000));
    stores.forEach((store, index) => store.keep(keyOf(1), texts[index] ?? ''));
    await eventually(async () => {
      expect(await readdir(folder)).toEqual([keyOf(1)]);
      expect(texts).toContain(await stores[0]?.find(keyOf(1)));
    });
  });

  it('removes the plans that were used the longest time ago when it takes too much, and no other file', async () => {
    await writeFile(join(folder, 'notes'), 'x'.repeat(100_000));
    const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);
    for (let index = 0; index < 16; index += 1) {
      await writeFile(join(folder, keyOf(index)), 'plan');
      await utimes(join(folder, keyOf(index)), daysAgo(30 - index), daysAgo(30 - index));
    }
    const store = await opened({ maxBytes: 8 * 4096 });
    expect(await store.find(keyOf(0))).toBe('plan');
    store.keep(keyOf(100), 'plan');

    // Half a block less than eight: seven, of which one was written and one was used.
    const expected = ['notes', keyOf(100), keyOf(0), ...[11, 12, 13, 14, 15].map(keyOf)];
    await eventually(async () => expect((await readdir(folder)).toSorted()).toEqual(expected.toSorted()));
  });

  it('that hangs costs one timeout until it responds again', async () => {
    const store = await opened({ timeoutMs: 300 });
    const pipe = join(folder, keyOf(1));
    execFileSync('mkfifo', [pipe]);
    store.keep(keyOf(2), 'plan 2');
    await eventually(async () => expect(await store.find(keyOf(2))).toBe('plan 2'));

    await expect(store.find(keyOf(1))).rejects.toThrow('No response within 300 ms');
    const startedMs = performance.now();
    for (let count = 0; count < 10; count += 1) {
      await expect(store.find(keyOf(2))).rejects.toThrow('An earlier call has not returned');
    }
    // Ten timeouts would be 3 s; none at all takes no time, however slow the machine.
    expect(performance.now() - startedMs).toBeLessThan(1500);

    const writer = await open(pipe, 'w');
    await writer.close();
    await eventually(async () => expect(await store.find(keyOf(2))).toBe('plan 2'));
    expect(warnings).toEqual(['the plan cache cannot be used; operations are planned without it']);
  });

  it('that cannot be made is reported once, and finds nothing', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const store = await opened({ path: join(file, 'plans') });
    store.keep(keyOf(1), 'plan');
    await expect(store.find(keyOf(1))).rejects.toThrow('ENOTDIR');
    await expect(store.find(keyOf(1))).rejects.toThrow('ENOTDIR');
    expect(warnings).toHaveLength(1);
  });

  it('does not read a file that is larger than any plan', async () => {
    const store = await opened();
    await writeFile(join(folder, keyOf(1)), Buffer.alloc(4_100_000));
    await expect(store.find(keyOf(1))).rejects.toThrow('is too large');
  });

  it('can be read by its owner only', async () => {
    const path = join(folder, 'new', 'plans');
    const store = await opened({ path });
    store.keep(keyOf(1), 'plan');
    await eventually(async () => expect(await store.find(keyOf(1))).toBe('plan'));
    const [directory, file] = await Promise.all([stat(path), stat(join(path, keyOf(1)))]);
    expect([directory.mode & 0o777, file.mode & 0o777]).toEqual([0o700, 0o600]);
  });
});

function keyOf(index: number): string {
  return createHash('sha256').update(`${index}`).digest('hex');
}

function opened(
  options: { readonly path?: string; readonly maxBytes?: number; readonly timeoutMs?: number } = {},
): Promise<PlanStore> {
  return openPlanDirectory({
    path: folder,
    maxBytes: 1_000_000_000,
    // Long, so that a busy machine is not taken for a disk that hangs.
    timeoutMs: 10_000,
    ...options,
    logger: { warn: (...line: readonly unknown[]) => void warnings.push(String(line.at(-1))) },
  });
}
