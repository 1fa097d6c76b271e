import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';

import { watchFolder } from '../../src/develop/follow-changes.ts';

describe('watchFolder', () => {
  let folder: string;
  let file: string;
  let changes: number;
  let stop: AbortController;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'meridian-watch-'));
    file = join(folder, 'src/resolver.ts');
    await mkdir(join(folder, 'src'));
    await writeFile(file, 'first');
    changes = 0;
    stop = new AbortController();
    await watchFolder(folder, {
      counts: (path) => path.endsWith('.ts'),
      onChange: () => (changes += 1),
      onFailure: (error) => {
        throw error;
      },
      signal: stop.signal,
    });
  });
  afterEach(async () => {
    stop.abort();
    await rm(folder, { recursive: true });
  });

  /** As `sed -i` and editors with atomic saves do. */
  async function saveByRename(text: string): Promise<void> {
    await writeFile(`${file}~`, text);
    await rename(`${file}~`, file);
  }

  /** Makes one change after another, each once the last was seen, and returns how many were. */
  async function seen(...steps: readonly (() => Promise<void>)[]): Promise<number> {
    for (const step of steps) {
      const before = changes;
      await step();
      await eventually(() => expect(changes).toBeGreaterThan(before));
    }
    return steps.length;
  }

  it('sees a file that is saved by rename, again and again, and in place after that', async () => {
    const inTurn = await seen(
      () => saveByRename('second'),
      () => saveByRename('third'),
      () => writeFile(file, 'fourth'),
      () => writeFile(file, ''),
    );
    expect(inTurn).toBe(4);
  });

  it('sees a file that is removed and made again', async () => {
    const inTurn = await seen(
      () => rm(file),
      () => writeFile(file, 'second'),
      () => saveByRename('third'),
    );
    expect(inTurn).toBe(3);
  });

  it('sees a new folder and what is saved there', async () => {
    file = join(folder, 'src/loaders/loader.ts');
    await mkdir(join(folder, 'src/loaders'));
    const inTurn = await seen(
      () => writeFile(file, 'first'),
      () => saveByRename('second'),
    );
    expect(inTurn).toBe(2);
  });
});
