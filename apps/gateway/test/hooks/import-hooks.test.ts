import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from '@jest/globals';

import { importAnew } from '../../src/hooks/import-hooks.ts';

it('watches no file that a module imports later, also where modules are loaded at the same time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'meridian-import-'));
  try {
    await writeFile(join(folder, 'late.ts'), 'export {};');
    const fingerprints = ['one', 'other'].map(() => new Map<string, string>());
    await writeFile(join(folder, 'hooks.ts'), `export default () => import('./late.ts');`);
    const modules = await Promise.all(
      fingerprints.map((ofModule) => importAnew('./hooks.ts', folder, { fingerprints: ofModule })),
    );
    for (const module of modules) {
      await (module as { readonly default: () => Promise<unknown> }).default();
    }
    expect(fingerprints.map(({ size }) => size)).toEqual([1, 1]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
