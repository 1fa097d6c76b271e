// Apollo's own lookup by name, over a manifest that `pnpm manifest` has made twice: before and after an edit.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

import { gql } from '@apollo/client/core';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { readIdentifiers } from '../../src/server/read-identifiers.ts';

// A CommonJS module that requires Apollo Client; jest allows that once Apollo Client is loaded.
const { generatePersistedQueryIdsFromManifest } = await import('@apollo/persisted-query-lists');

interface Manifest {
  readonly operations: { readonly id: string; readonly name: string; readonly body: string }[];
}

const program = join(import.meta.dirname, '../../../../tools/commands/manifest.ts');
const short = 'query Top {\n  name\n}';
const long = 'query Top {\n  name\n  price\n}';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meridian-storefront-manifest-'));
  await mkdir(join(folder, 'operations'));
  await writeFile(join(folder, 'api.graphql'), 'type Query { name: String price: Int }');
});
afterEach(() => rm(folder, { recursive: true }));

/** Makes the manifest of a release, over the one of the release before. */
async function release(text: string): Promise<Manifest> {
  await writeFile(join(folder, 'operations/top.graphql'), text);
  await promisify(execFile)(
    process.execPath,
    [program, '--operations', 'operations', '--supergraph', 'api.graphql', '--output', 'manifest.json'],
    { cwd: folder },
  );
  return JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
}

/** The manifest's text for the identifier that Apollo's lookup finds. */
async function textSent(
  manifest: Manifest,
  loadManifest: () => Promise<{ readonly operations: { id: string; name: string }[] }>,
): Promise<string | undefined> {
  const { generateHash } = generatePersistedQueryIdsFromManifest({ loadManifest });
  const identifier = await generateHash(gql(long));
  return manifest.operations.find(({ id }) => id === identifier)?.body;
}

// The two cases swap the texts, so the identifier of the current one sorts last in one of them and first in the other.
describe.each([
  { edit: 'adds a field', before: short, after: long },
  { edit: 'removes a field', before: long, after: short },
])('After an edit that $edit, a client with @apollo/persisted-query-lists', ({ before, after }) => {
  it('sends the current text, from the whole manifest and from the identifiers of the storefront', async () => {
    await release(before);
    const manifest = await release(after);
    expect(manifest.operations).toHaveLength(2);
    expect(await textSent(manifest, async () => manifest)).toBe(after);
    const identifiers = await readIdentifiers(join(folder, 'manifest.json'));
    expect(identifiers.operations).toHaveLength(1);
    expect(await textSent(manifest, async () => ({ operations: [...identifiers.operations] }))).toBe(after);
  });
});
