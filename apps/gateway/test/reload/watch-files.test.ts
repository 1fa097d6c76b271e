import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { fingerprintFiles, watchFiles } from '../../src/reload/watch-files.ts';
import { replaceFile } from '../support/replace-file.ts';

let directory: string;
let path: string;
let stop: () => void;
const everyMs = 5;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'meridian-watch-'));
  path = join(directory, 'router.yaml');
});
afterEach(async () => {
  stop();
  await rm(directory, { recursive: true });
});

describe('watchFiles', () => {
  it('reports a change since the files were read, though it began to watch later', async () => {
    await writeFile(path, 'one');
    const before = fingerprintFiles([path]);
    await writeFile(path, 'two, written while the first was taken up');
    const changed = new Promise<string>((resolve) => {
      stop = watchFiles([path], everyMs, () => resolve('changed'), before);
    });
    expect(await changed).toBe('changed');
  });

  it('recovers after a file could not be read for a while', async () => {
    // A link to itself: not absent, and not to be followed either.
    await symlink('router.yaml', path);
    const changed = new Promise<void>((resolve) => {
      stop = watchFiles([path], everyMs, resolve);
    });
    await replaceFile(path, 'good');
    await changed;
    expect(fingerprintFiles([path])).not.toBe('');
  });
});
