// Over a manifest as `pnpm manifest` writes it: of a name, the current operation is the last.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { gql } from '@apollo/client/core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { readIdentifiers } from '../../src/server/read-identifiers.ts';

// A CommonJS module that requires Apollo Client; jest allows that once Apollo Client is loaded.
const { generatePersistedQueryIdsFromManifest } = await import('@apollo/persisted-query-lists');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meridian-storefront-manifest-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('readIdentifiers', () => {
  it.each([
    ['a', 'b'],
    ['b', 'a'],
  ])('has the current operation only, as Apollo Client finds it: %s, then %s', async (earlier, current) => {
    const path = join(folder, 'manifest.json');
    const operations = [earlier, current].map((id) => ({ id, name: 'Top', body: 'query Top { name }' }));
    await writeFile(path, JSON.stringify({ operations }));
    const identifiers = await readIdentifiers(path);
    expect(identifiers).toEqual({ operations: [{ id: current, name: 'Top' }] });
    const { generateHash } = generatePersistedQueryIdsFromManifest({
      loadManifest: async () => ({ operations }),
    });
    expect(await generateHash(gql('query Top { name }'))).toBe(current);
  });
});
