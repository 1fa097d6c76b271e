import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { composeSupergraph } from '@meridian/composition';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { callCommand } from '@meridian/testing';
import type { CommandEnding } from '@meridian/testing';

import { keepOperations } from '../../src/operations/keep-operations.ts';

import { fixture } from '../fixture.ts';
import { createWorkspace } from './workspace.ts';
import type { Workspace } from './workspace.ts';

let workspace: Workspace;

beforeEach(() => {
  workspace = createWorkspace();
  const { supergraphSdl = '' } = composeSupergraph([
    fixture('products', 'products'),
    fixture('reviews', 'reviews'),
  ]);
  workspace.write('supergraph.graphql', supergraphSdl);
  workspace.write(
    'operations/product-name.graphql',
    'query ProductName($id: ID!) { product(id: $id) { id name } }\n',
  );
});

afterEach(() => workspace.remove());

describe('pnpm manifest', () => {
  it("writes the operations in Apollo's format version 1, with Rover's identifiers", async () => {
    const { code, stdout, stderr } = await manifest();

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^persisted-queries\.json: written, by Rover \d+\.\d+\.\d+\n$/);
    expect(JSON.parse(manifestText())).toEqual({
      format: 'apollo-persisted-query-manifest',
      version: 1,
      operations: [
        {
          id: expect.stringMatching(/^[0-9a-f]{64}$/),
          name: 'ProductName',
          type: 'query',
          body: 'query ProductName($id: ID!) {\n  product(id: $id) {\n    id\n    name\n  }\n}',
        },
      ],
    });
  });

  it('names the app in the manifest, with its versions in the field', async () => {
    expect(await manifest('--app', 'shop', '--app-version', '1.0', '--app-version', '2.0')).toMatchObject({
      code: 0,
    });
    expect(Object.entries(JSON.parse(manifestText()) as object).slice(0, 3)).toEqual([
      ['format', 'apollo-persisted-query-manifest'],
      ['version', 1],
      ['app', { name: 'shop', versions: ['1.0', '2.0'] }],
    ]);
    expect(await manifest('--app-version', '1.0')).toMatchObject({ code: 2 });
  });

  it('finds operations in folders, and fragments in other files', async () => {
    workspace.write('operations/fragments/price.graphql', 'fragment Price on Product { priceMinorUnits }');
    workspace.write(
      'operations/pages/product-price.graphql',
      'query ProductPrice($id: ID!) { product(id: $id) { id ...Price } }',
    );

    expect(await manifest()).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(manifestText())).toMatchObject({
      operations: [
        { name: 'ProductName' },
        { name: 'ProductPrice', body: expect.stringContaining('fragment Price') },
      ],
    });
  });

  it.each([
    [
      'selects a field that the schema does not have',
      'query ProductName { top }',
      'Cannot query field "top" on type "Query".',
      '1:21',
    ],
    ['does not parse', 'query ProductName {', 'Syntax Error: Expected Name, found <EOF>.', '1:20'],
    [
      'is not named after its file',
      'query Name { __typename }',
      'The operation of product-name.graphql is named Name. Name it ProductName, after its file.',
      '1:1',
    ],
    [
      'has no name',
      '{ __typename }',
      'The operation of product-name.graphql has no name. Name it ProductName, after its file.',
      '1:1',
    ],
    [
      'is one of two in its file',
      'query ProductName { __typename }\nquery B { __typename }',
      'A file holds one operation.',
      '2:1',
    ],
    [
      'declares a variable that it does not use',
      'query ProductName($id: ID) { __typename }',
      '"$id" is never used',
      '1:19',
    ],
  ])(
    'exits 1 and names the fault and its place when an operation %s',
    async (_what, text, message, place) => {
      workspace.write('operations/product-name.graphql', text);
      const { code, stderr } = await manifest();

      expect(code).toBe(1);
      expect(stderr).toContain(message);
      expect(stderr).toContain(`operations/product-name.graphql:${place}\n`);
      expect(existsSync(join(workspace.folder, 'persisted-queries.json'))).toBe(false);
    },
  );

  it.each([
    [
      'there are no operations',
      ['--operations', 'nowhere'],
      'Cannot find operations: nowhere holds no .graphql files\n',
    ],
    [
      'the supergraph file has another content',
      ['--supergraph', 'operations/product-name.graphql'],
      'Cannot read operations/product-name.graphql: it is neither a supergraph nor a schema. Run `pnpm compose`.\n',
    ],
  ])('exits 1 in one line when %s', async (_what, flags, message) => {
    expect(await manifest(...flags)).toEqual({ code: 1, stdout: '', stderr: message });
  });
});

describe('pnpm manifest, after an operation was edited,', () => {
  const names = (): string[] =>
    JSON.parse(manifestText()).operations.map(({ body }: { body: string }) => body.replaceAll(/\s+/gu, ' '));
  const edited = 'query ProductName($id: ID!) { product(id: $id) { id } }';
  const original = 'query ProductName($id: ID!) { product(id: $id) { id name } }';

  it('keeps the one that released clients send, until it is retired', async () => {
    await manifest();
    workspace.write('operations/product-name.graphql', `${edited}\n`);
    const { stdout } = await manifest();

    expect(stdout).toContain(
      'Kept for released clients: ProductName. Once no client sends them: pnpm manifest --retire',
    );
    expect(names().toSorted()).toEqual([edited, original].toSorted());
    expect(await manifest('--check')).toMatchObject({ code: 0 });

    const old = JSON.parse(manifestText()).operations.find(({ body }: { body: string }) =>
      body.includes('name\n'),
    );
    await manifest('--retire', old.id);
    expect(names()).toEqual([edited]);
  });

  it.each([
    [original, edited],
    [edited, original],
  ])('puts the current one last, whichever identifier sorts first: %s, then %s', async (before, after) => {
    workspace.write('operations/product-name.graphql', before);
    await manifest();
    workspace.write('operations/product-name.graphql', after);
    await manifest();
    expect(names()).toEqual([before, after]);
    expect(await manifest('--check')).toMatchObject({ code: 0 });
  });

  it('refuses to retire what no kept operation is named, and writes nothing', async () => {
    await manifest();
    const before = manifestText();
    workspace.write('operations/product-name.graphql', `${edited}\n`);
    expect(await manifest('--retire', 'Nope', '--retire', 'ProductName')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'Cannot retire Nope: persisted-queries.json has no operation of this name or identifier that is gone from operations\n',
    });
    expect(manifestText()).toBe(before);
  });
});

describe('keepOperations', () => {
  const manifestOf = (...ids: string[]): string =>
    JSON.stringify({ format: 'f', version: 1, operations: ids.map((id) => ({ id, name: `Name${id}` })) });

  it('drops what was never released, and does not bring back what was retired', () => {
    const { kept } = keepOperations(manifestOf('c'), {
      previous: manifestOf('a', 'b'),
      released: manifestOf('a', 'retired before'),
      retired: [],
    });
    expect(kept).toEqual(['Namea']);
  });

  it('orders the operations of one name by their releases, whatever their identifiers are', () => {
    const releases = (...ids: string[]): string =>
      JSON.stringify({ operations: ids.map((id) => ({ id, name: 'Name' })) });
    let text = '{}';
    for (const id of ['c', 'a', 'd', 'b']) {
      ({ text } = keepOperations(releases(id), { previous: text, released: undefined, retired: [] }));
    }
    expect(JSON.parse(text)).toEqual(JSON.parse(releases('c', 'a', 'd', 'b')));
    expect(keepOperations(releases('b'), { previous: text, released: undefined, retired: [] }).text).toBe(
      text,
    );
  });
});

describe('pnpm manifest --check', () => {
  it('prints one line when the manifest is current', async () => {
    await manifest();

    expect(await manifest('--check')).toEqual({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^persisted-queries\.json is current, says Rover .*\n$/),
    });
  });

  it('exits 1 and shows each difference when an operation has changed, without touching the manifest', async () => {
    await manifest();
    const before = manifestText();
    workspace.write(
      'operations/product-name.graphql',
      'query ProductName($id: ID!) { product(id: $id) { id } }\n',
    );
    const { code, stderr } = await manifest('--check');

    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^persisted-queries\.json is stale\. Run `pnpm manifest` and commit it\.\n  line \d+\n(?:    .*\n)*(?:  \+ .*\n)+/,
    );
    expect(manifestText()).toBe(before);
  });
});

function manifest(...flags: readonly string[]): Promise<CommandEnding> {
  const program = new URL('../../../../../tools/commands/manifest.ts', import.meta.url);
  return callCommand(program, ['--operations', 'operations', ...flags], { cwd: workspace.folder });
}

function manifestText(): string {
  return readFileSync(join(workspace.folder, 'persisted-queries.json'), 'utf8');
}
