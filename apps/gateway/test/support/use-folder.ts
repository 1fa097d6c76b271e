import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll } from '@jest/globals';

/** The path of a folder of a suite, which is removed at its end. */
export function useFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'meridian-'));
  afterAll(() => rm(path, { recursive: true, force: true }));
  return path;
}
