import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { composeSupergraph } from '@meridian/composition';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { callCommand } from '@meridian/testing';
import type { CommandEnding } from '@meridian/testing';

import { buildSchema } from 'graphql';

import { fixture } from '../fixture.ts';
import { incompatibleChanges } from '../incompatible-changes.ts';
import { createWorkspace, writeSubgraphs } from './workspace.ts';
import type { Workspace } from './workspace.ts';

const subgraphs = [fixture('products', 'products'), fixture('reviews', 'reviews')];

let workspace: Workspace;

beforeEach(() => {
  workspace = createWorkspace();
  writeSubgraphs(workspace, subgraphs);
});

afterEach(() => workspace.remove());

describe('pnpm compose', () => {
  it('writes the supergraph, and says which composer made it', async () => {
    const { code, stdout, stderr } = await compose();

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Rover \d+\.\d+\.\d+ composes supergraph\.yaml: products, reviews$/m);
    expect(stdout).toMatch(/^Composition by this repository's plugin, @apollo\/composition 2\.14\.4 /m);
    expect(stdout).toMatch(/^supergraph\.graphql: written, /m);
    expect(supergraphText()).toBe(`${composeSupergraph(subgraphs).supergraphSdl?.trimEnd()}\n`);
  });

  it('writes the API schema beside it: no URL, nothing of federation, nothing that is inaccessible', async () => {
    const { sdl } = fixture('products', 'products');
    const hidden = sdl
      .replace('"@key"', '"@key", "@inaccessible"')
      .replace('name: String!', 'name: String!  hidden: String @inaccessible  found(by: Any = {a: [1]}): Int')
      .concat('scalar Any\n');
    expect(hidden).toMatch(/"@inaccessible"[^]*hidden: String @inaccessible/);
    workspace.write('products.graphql', hidden);
    expect((await compose()).stdout).toMatch(/^api-schema\.graphql: written$/m);
    const text = apiSchemaText();
    expect(buildSchema(text).getQueryType()?.getFields()).toHaveProperty('product');
    expect(text).toContain('found(by: Any = {a: [1]}): Int');
    expect(text).not.toMatch(/http|join__|federation|hidden|_entities/);
  });

  it('writes a supergraph and an API schema for each contract', async () => {
    const tagged = fixture('products', 'products')
      .sdl.replace('"@key"', '"@key", "@tag"')
      .replace('name: String!', 'name: String! secret: String @tag(name: "internal")');
    workspace.write('products.graphql', tagged);
    workspace.write('contracts.yaml', 'contracts: { public: { exclude: [internal] } }');
    expect((await compose()).stdout).toMatch(/^contracts\/public\/api-schema\.graphql: written$/m);
    const read = (name: string): string => readFileSync(join(workspace.folder, name), 'utf8');
    expect(read('api-schema.graphql')).toContain('secret');
    expect(read('contracts/public/api-schema.graphql')).not.toContain('secret');
    expect(read('contracts/public/supergraph.graphql')).toMatch(/secret: String .*@inaccessible/);

    expect(await compose('--check')).toMatchObject({ code: 0 });
    workspace.write('contracts.yaml', 'contracts: { public: { exclude: [other] } }');
    expect((await compose('--check')).stderr).toMatch(/^contracts\/public\/supergraph\.graphql is stale/m);
    expect((await compose('--contracts', 'none.yaml')).stderr).toContain('none.yaml: it is not there');
  });

  it('does not touch a file that already holds the supergraph', async () => {
    await compose();

    expect(await compose()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^supergraph\.graphql: unchanged, /m),
    });
  });

  it('composes another file into another place by --config and --output', async () => {
    workspace.write('deep/supergraph.yaml', readFileSync(join(workspace.folder, 'supergraph.yaml'), 'utf8'));
    for (const { name, sdl } of subgraphs) {
      workspace.write(`deep/${name}.graphql`, sdl);
    }
    const flags = ['--config', 'deep/supergraph.yaml', '--output', 'out/composed.graphql'];

    expect(await compose(...flags)).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(join(workspace.folder, 'out/composed.graphql'))).toBe(true);
    expect(existsSync(join(workspace.folder, 'supergraph.graphql'))).toBe(false);
  });

  it('shows hints, and composes all the same', async () => {
    workspace.write(
      'reviews.graphql',
      fixture('reviews', 'reviews').sdl.replace('type Product', '"Rated."\ntype Product'),
    );
    workspace.write(
      'products.graphql',
      fixture('products', 'products').sdl.replace('type Product', '"Sold."\ntype Product'),
    );
    const { code, stdout } = await compose();

    expect(code).toBe(0);
    expect(stdout).toContain('Hint: INCONSISTENT_DESCRIPTION: ');
    expect(stdout).toContain('  at products.graphql:8:1\n     8 | type Product @key(fields: "id") {');
    expect(await compose('--check')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^Hint: INCONSISTENT_DESCRIPTION: [^]*supergraph\.graphql and api-schema\.graphql are current/u,
      ),
    });
  });

  // compose-supergraph.test.ts has all of them.
  it.each(incompatibleChanges.slice(0, 1))(
    'exits 1 and names the fault, its place and its cause when $change',
    async (incompatible) => {
      const before = '# An earlier one.';
      workspace.write('supergraph.graphql', before);
      writeSubgraphs(workspace, incompatible.subgraphs);
      const { code, stderr } = await compose();

      expect(code).toBe(1);
      expect(stderr).toContain('Cannot compose supergraph.yaml: 1 error');
      expect(stderr).toMatch(new RegExp(`^${incompatible.code}: .*${incompatible.what}`, 'm'));
      for (const [subgraph, line] of incompatible.where.map((place) => place.split(':'))) {
        expect(stderr).toMatch(
          new RegExp(`^  at ${subgraph}\\.graphql:${line}:\\d+\n +${line} \\| \\S`, 'm'),
        );
      }
      expect(stderr).toContain('because of the rule: ');
      expect(supergraphText()).toBe(before);
    },
  );

  it('names the files that do not parse', async () => {
    workspace.write('reviews.graphql', 'type Product {');
    const { code, stderr } = await compose();

    expect(code).toBe(1);
    expect(stderr).toContain(
      'INVALID_GRAPHQL: [reviews] Syntax Error: Expected Name, found <EOF>.\n  at reviews.graphql:1:15',
    );
  });

  it('names the file and the lines of a field that a subgraph defines twice', async () => {
    const { sdl } = fixture('products', 'products');
    workspace.write('products.graphql', sdl.replace('name: String!', 'name: String!\n  name: String'));
    const { code, stderr } = await compose();

    expect(code).toBe(1);
    expect(stderr).toContain(
      'Field name already exists on Product\n  at products.graphql:9:3\n     9 | name: String!\n  at products.graphql:10:3\n',
    );
  });

  it("passes on Rover's message for a missing schema file", async () => {
    writeSubgraphs(workspace, [...subgraphs]);
    workspace.write('supergraph.yaml', readYaml().replace('reviews.graphql', 'nowhere.graphql'));
    const { code, stderr } = await compose();

    expect(code).toBe(1);
    expect(stderr).toContain('Rover cannot compose supergraph.yaml: ');
    expect(stderr).toContain('nowhere.graphql');
  });

  it('exits 1 in one message when the configuration is faulty', async () => {
    workspace.write('supergraph.yaml', 'subgraphs: [');
    const { code, stderr } = await compose();

    expect(code).toBe(1);
    expect(stderr).toMatch(/^Cannot read supergraph\.yaml: Flow sequence/);
    expect(stderr).not.toContain('    at ');
  });

  it('exits 1 for a version of Federation that no available composer supports', async () => {
    workspace.write('supergraph.yaml', readYaml().replace('=2.14.4', '=2.13.0'));
    const { code, stderr } = await compose();

    expect(code).toBe(1);
    expect(stderr).toBe(
      "Cannot compose at Federation 2.13.0: Apollo's plugin is not available (offline), and this repository's composes at 2.14.4\n",
    );
  });

  it('exits 1 in one line when the supergraph cannot be written', async () => {
    const { code, stderr } = await compose('--output', 'products.graphql/supergraph.graphql');

    expect(code).toBe(1);
    expect(stderr).toMatch(/^Cannot \w+ products\.graphql[^:]*: [a-z ]+\n$/);
  });

  it('prints its flags for --help, and exits 2 for an unknown flag, which it names', async () => {
    expect(await compose('--help')).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('--output <file>'),
    });
    expect(await compose('--chekc')).toEqual({
      code: 2,
      stdout: '',
      stderr: "Unknown option '--chekc': see pnpm compose --help\n",
    });
  });
});

describe('pnpm compose --check', () => {
  let current: readonly (readonly [file: string, text: string])[];
  beforeAll(async () => {
    workspace = createWorkspace();
    writeSubgraphs(workspace, subgraphs);
    await compose();
    current = [
      ['supergraph.graphql', supergraphText()],
      ['api-schema.graphql', apiSchemaText()],
    ];
    workspace.remove();
  });
  const writeCurrent = (): void => current.forEach(([file, text]) => workspace.write(file, text));

  it('prints one line when the file is current', async () => {
    writeCurrent();

    expect(await compose('--check')).toEqual({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(
        /^supergraph\.graphql and api-schema\.graphql are current, says Rover .*\n$/,
      ),
    });
  });

  it('exits 1 and shows each difference when the file is stale, without touching it', async () => {
    writeCurrent();
    const before = supergraphText();
    workspace.write(
      'products.graphql',
      fixture('products', 'products')
        .sdl.replace('name: String!', 'title: String!')
        .concat('type Added { id: ID! }'),
    );
    const { code, stderr } = await compose('--check');

    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^supergraph\.graphql is stale\. Run `pnpm compose` and commit it\.\n  line \d+\n/,
    );
    expect(stderr).toContain(
      '  -   name: String! @join__field(graph: PRODUCTS)\n  +   title: String! @join__field(graph: PRODUCTS)\n',
    );
    expect(stderr).toContain('  + type Added\n');
    expect(supergraphText()).toBe(before);
  });

  it('exits 1 when only the API schema is stale', async () => {
    writeCurrent();
    workspace.write('api-schema.graphql', `${apiSchemaText()}\ntype More { id: ID }\n`);
    expect(await compose('--check')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^api-schema\.graphql is stale\. Run `pnpm compose` and commit it\.\n/),
    });
  });

  it('exits 1 when the file is missing, and does not write it', async () => {
    expect(await compose('--check')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'supergraph.graphql is missing. Run `pnpm compose` and commit it.\n',
    });
    expect(existsSync(join(workspace.folder, 'supergraph.graphql'))).toBe(false);
  });

  it('exits 1 with the errors when the subgraphs do not compose', async () => {
    writeCurrent();
    workspace.write('products.graphql', fixture('products', 'products-without-price').sdl);

    expect(await compose('--check')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('EXTERNAL_MISSING_ON_BASE: '),
    });
  });
});

function apiSchemaText(): string {
  return readFileSync(join(workspace.folder, 'api-schema.graphql'), 'utf8');
}

function compose(...flags: readonly string[]): Promise<CommandEnding> {
  const program = new URL('../../../../../tools/commands/compose.ts', import.meta.url);
  return callCommand(program, ['--offline', ...flags], { cwd: workspace.folder });
}

function supergraphText(): string {
  return readFileSync(join(workspace.folder, 'supergraph.graphql'), 'utf8');
}

function readYaml(): string {
  return readFileSync(join(workspace.folder, 'supergraph.yaml'), 'utf8');
}
