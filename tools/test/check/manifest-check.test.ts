// `pnpm manifest check` as the CI of a client team calls it, in a checkout whose git history has the deprecations.
import { rmSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandError } from '@meridian/settings/command-line';
import { composeSupergraph } from '@meridian/composition';
import { createJudgeUnder } from '@meridian/gateway/figures/judge-operation';
import type { ManifestCheck } from '@meridian/schema-check/commands/check-manifests';
import { checkManifests } from '@meridian/schema-check/commands/check-manifests';
import { callCommand, createGitRepository } from '../../../packages/development/testing/src/index.ts';
import type { CommandEnding } from '../../../packages/development/testing/src/index.ts';

const program = new URL('../../commands/manifest.ts', import.meta.url);
const dayMs = 86_400_000;

const schema = (note: string): string => `extend schema
    @link(url: "https://specs.apollo.dev/federation/v2.14", import: ["@listSize", "@composeDirective"])
    @link(url: "https://meridian.example/pageSize/v1.0", import: ["@pageSize"])
    @composeDirective(name: "@pageSize")
  directive @pageSize(max: Int!) on ARGUMENT_DEFINITION
  input Filter { text: String by: By old: String @deprecated(reason: "Use text.") }
  enum By { NAME AGE @deprecated(reason: "Nobody has one.") }
  type Query {
    product(id: ID!): Product
    products(filter: Filter, first: Int @pageSize(max: 50)): [Product]
      @listSize(assumedSize: 20, slicingArguments: ["first"], requireOneSlicingArgument: false)
  }
  type Product { id: ID! name: String note: String${note} by: By next: Product }`;
const deprecatedNote = ' @deprecated(reason: "Use name.")';

const repository = createGitRepository();
const { root, write } = repository;
const operations = {
  plain: 'query Plain { product(id: 1) { id name by } }',
  page: 'query Page($first: Int) { products(first: $first) { id } }',
  deep: 'query Deep { product(id: 1) { next { next { id } } } }',
  note: 'query Note { product(id: 1) { note } }',
  sent: 'query Sent($filter: Filter) { products(filter: $filter) { id } }',
  written: 'query Written { products(filter: {by: AGE}) { id } }',
} as const;

beforeAll(() => {
  write('schema-check.yaml', 'deprecation_days: 30\n');
  writeSchema(schema(''));
  repository.commit({ at: 40 });
  writeSchema(schema(deprecatedNote));
  repository.commit({ at: 20 });
  write(
    'api.graphql',
    'type Query { product(id: ID!): Product } type Product { id: ID! name: String by: By next: Product } enum By { NAME }',
  );
  for (const [name, text] of Object.entries(operations)) {
    write(`${name}.json`, JSON.stringify({ [name]: text }));
  }
});
afterAll(repository.remove);

function writeSchema(sdl: string): void {
  const { supergraphSdl, errors } = composeSupergraph([{ name: 'a', routingUrl: 'http://127.0.0.1/a', sdl }]);
  expect(errors).toBeUndefined();
  write('supergraph.graphql', supergraphSdl ?? '');
}

function run(...args: readonly string[]): Promise<CommandEnding> {
  return callCommand(program, ['check', ...args], { cwd: root });
}

/** The printed lines, or the message of the failure. */
function check(
  paths: readonly string[],
  { schema: file = 'supergraph.graphql', config = '', env = {}, in: folder = root, ...call }: Call = {},
): string {
  const at = (path: string): string => (isAbsolute(path) ? path : join(folder, path));
  const short = (text: string): string => text.replaceAll(`${folder}/`, '');
  try {
    return short(
      checkManifests({
        paths: paths.map(at),
        schemaFile: at(file),
        configFile: undefined,
        showsFigures: false,
        minimumDays: undefined,
        root: folder,
        judgeUnder: () => createJudgeUnder(config, { name: 'router.yaml', env }),
        ...call,
      }),
    );
  } catch (error) {
    if (error instanceof CommandError) {
      return short(`failed: ${error.message}`);
    }
    throw error;
  }
}

interface Call extends Partial<Pick<ManifestCheck, 'showsFigures' | 'minimumDays'>> {
  readonly schema?: string;
  /** The text of router.yaml. */
  readonly config?: string;
  readonly env?: Record<string, string>;
  readonly in?: string;
}

const dayAgo = (days: number): string => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);

describe('pnpm manifest check', () => {
  it('lists the operations of each file, whatever its format, against the supergraph or the API schema', () => {
    write('relay/queries.json', JSON.stringify({ a: operations.plain }));
    write('kotlin.json', JSON.stringify({ b: { name: 'Plain', source: operations.plain } }));
    for (const schemaFile of ['supergraph.graphql', 'api.graphql']) {
      const lines = check(['relay', '*otlin.json'], { schema: schemaFile });
      expect(lines.split('\n').filter((line) => line.includes('valid for'))).toEqual(
        ['relay/queries.json', 'kotlin.json'].map((name) =>
          expect.stringContaining(`${name}: 1 operation, valid for ${schemaFile}`),
        ),
      );
      expect(lines.includes('neither costs nor page sizes')).toBe(schemaFile === 'api.graphql');
    }
  });

  it('fails with all faults', () => {
    write('a.json', JSON.stringify({ a: operations.plain, bad: 'query Bad { top }' }));
    write('b.json', JSON.stringify({ a: 'query Plain { __typename }' }));
    write('c.json', '{"name": "shop"}');
    const message = check(['a.json', 'b.json', 'c.json']);
    expect(message).toMatch(
      /^failed: Cannot read the manifest c\.json: the text "name" is not a GraphQL document/u,
    );
    expect(message).toContain('b.json: the identifier "a" has another text in a.json\n');
    expect(message).toContain('a.json: Bad (bad)\nCannot query field "top" on type "Query".');
  });

  it.each([
    [
      'cost',
      'page',
      'demand_control: { enabled: true, mode: enforce, strategy: { static_estimated: { list_size: 10, max: 49 } } }',
      'The operation is over the cost of 49 (COST_ESTIMATED_TOO_EXPENSIVE)\nIt has cost 50 of 49',
    ],
    [
      'depth',
      'deep',
      'limits: { max_depth: 3 }',
      'The operation is over the limit of 3 fields on one path (MAX_DEPTH_LIMIT)\nIt has depth 4 of 3',
    ],
  ])('fails for an operation over the limit on %s of router.yaml', (_what, name, config, fault) => {
    expect(check([`${name}.json`])).toContain(`${name}.json: 1 operation`);
    expect(check([`${name}.json`, 'plain.json'], { config })).toBe(
      `failed: ${name}.json: ${name[0]?.toUpperCase()}${name.slice(1)} (${name})\n${fault}`,
    );
  });

  it('prints the figures of each operation, with their limits', () => {
    const config = 'limits: { max_depth: 4, max_aliases: 2 }';
    expect(check(['page.json'], { config, showsFigures: true }).split('\n').slice(1)).toEqual([
      '  highest: depth 2 of 4 (Page)',
      '  operation  cost  depth   aliases  root fields  height  page sizes',
      '  Page       50    2 of 4  0 of 2   1            2       first 50 of 50',
      '',
    ]);
  });

  it('takes limits from variables, and asks for those that are not set', () => {
    const config = 'limits: { max_depth: "${env.MAX_DEPTH}" }';
    expect(check(['deep.json'], { config })).toBe(
      'failed: Set the variables of router.yaml that hold limits:\nlimits.max_depth: env.MAX_DEPTH has no value here, and was not checked',
    );
    expect(check(['deep.json'], { config, env: { MAX_DEPTH: '4' } })).toMatch(/^deep\.json/u);
    expect(check(['deep.json'], { config, env: { MAX_DEPTH: '3' } })).toMatch(/^failed: deep\.json/u);
  });

  it('names the deprecated elements in use, since when, and when they are due', () => {
    const lines = check(['plain.json', 'note.json', 'sent.json', 'written.json']);
    const since = `since ${dayAgo(20)}, due ${dayAgo(-10)} (in 10 days)`;
    const longAgo = `since ${dayAgo(40)}, due now`;
    expect(lines.split('\n').filter((line) => /deprecated|used by|^\w+\.json/u.test(line))).toEqual([
      expect.stringMatching(/^plain/u),
      expect.stringMatching(/^note/u),
      `  deprecated: Product.note, ${since}. Use name.`,
      '    used by Note',
      expect.stringMatching(/^sent/u),
      `  deprecated: By.AGE, ${longAgo}. Nobody has one.`,
      '    used by Sent (perhaps, in variables)',
      `  deprecated: Filter.old, ${longAgo}. Use text.`,
      '    used by Sent (perhaps, in variables)',
      expect.stringMatching(/^written/u),
      `  deprecated: By.AGE, ${longAgo}. Nobody has one.`,
      '    used by Written',
    ]);
  });

  it('fails with --days-left for what is due sooner, or at a day that history does not say', () => {
    expect(check(['note.json'], { minimumDays: 10 })).toMatch(/^note\.json/u);
    expect(check(['note.json'], { minimumDays: 11 })).toBe(
      `failed: note.json: deprecated: Product.note, since ${dayAgo(20)}, due ${dayAgo(-10)} (in 10 days). Use name.\n  used by Note`,
    );
    const shallow = join(root, 'shallow');
    repository.git('clone', '--quiet', '--depth', '1', `file://${root}`, shallow);
    const manifest = [join(root, 'note.json')];
    expect(check(manifest, { in: shallow })).toContain(
      `since ${dayAgo(20)} or earlier: the history here starts then`,
    );
    expect(check(manifest, { in: shallow, minimumDays: 1 })).toMatch(/^failed/u);
    rmSync(shallow, { recursive: true });
  });

  it('exits 0, 1 for a fault, and 2 for a wrong call', async () => {
    const limits = 'limits: { max_depth: 3 }';
    write('limits.yaml', limits);
    expect(await run('deep.json', '--figures', '--days-left', '0')).toMatchObject({ code: 0, stderr: '' });
    expect(await run('deep.json', '--config', 'limits.yaml')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('(MAX_DEPTH_LIMIT)'),
    });
    write('router.yaml', limits);
    expect(await run('deep.json')).toMatchObject({ code: 1 });
    rmSync(join(root, 'router.yaml'));
    const help = ': see pnpm manifest --help\n';
    expect(await run()).toEqual({ code: 2, stdout: '', stderr: `<file>… is missing${help}` });
    expect(await run('plain.json', '--config', 'none.yaml')).toEqual({
      code: 2,
      stdout: '',
      stderr: `none.yaml is not there${help}`,
    });
    expect(await run('plain.json', '--days-left', 'few')).toMatchObject({ code: 2 });
  });
});
