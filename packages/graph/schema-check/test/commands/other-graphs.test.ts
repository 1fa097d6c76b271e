// Contracts and further graphs of a repository: each is judged by its own usage, and named in the report.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { composeSupergraph } from '@meridian/composition';
import { createGitRepository } from '@meridian/testing';

import { approve } from '../../src/commands/approve.ts';
import type { CheckOptions } from '../../src/commands/check-repository.ts';
import { checkRepository } from '../../src/commands/check-repository.ts';
import { renderReport } from '../../src/report/render-report.ts';
import type { CheckReport } from '../../src/report/report.ts';
import { recorded, usageOf, use } from '../support/usage.ts';

const repository = createGitRepository();
const { root, write } = repository;
afterAll(repository.remove);

const schema = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@tag", "@authenticated"])
type Query { own: Int  guarded: Int @authenticated @tag(name: "partner")  shown: Int @tag(name: "partner")  also: Int @tag(name: "partner") }
`;

function supergraphOf(sdl: string): string {
  const { supergraphSdl = '' } = composeSupergraph([{ name: 'a', routingUrl: 'http://127.0.0.1/a', sdl }]);
  return `${supergraphSdl.trimEnd()}\n`;
}

const graphs = {
  shop: {},
  partners: { path: '/partners', supergraph: 'contracts/partner/supergraph.graphql' },
  theirs: { path: '/theirs', supergraph: './other.graphql' },
};

function writeRouter(served: object): void {
  write('router.yaml', JSON.stringify({ meridian: { graphs: served } }));
}

function writeGraph(): void {
  writeRouter(graphs);
  write('schema-check.yaml', 'operations: registered\n');
  write('a.graphql', schema);
  write('contracts.yaml', 'contracts: { partner: { include: [partner] }, also: { include: [partner] } }');
  write('other.graphql', supergraphOf('type Query { theirs: Int  more: Int }'));
}

write(
  'supergraph.yaml',
  'federation_version: =2.14.4\nsubgraphs: { a: { routing_url: http://127.0.0.1/a, schema: { file: a.graphql } } }\n',
);
write('supergraph.graphql', supergraphOf(schema));
write(
  'persisted-queries.json',
  JSON.stringify({ format: 'apollo-persisted-query-manifest', version: 1, operations: [] }),
);
writeGraph();
repository.commit({ message: 'Graphs', at: 20 });
beforeEach(writeGraph);

/** @param uses the fields that the usage of each graph has */
async function check(
  uses: Readonly<Record<string, readonly string[]>>,
  options: Partial<CheckOptions> = {},
): Promise<CheckReport> {
  return await checkRepository({ ...optionsFor(uses), ...options });
}

function optionsFor(fieldsOf: Readonly<Record<string, readonly string[]>>): CheckOptions {
  const files = Object.entries(fieldsOf).map(([name, fields]) => {
    const file = `usage-${name}.json`;
    const today = new Date().toISOString();
    const uses = [use({ lastDay: today.slice(0, 10), inputs: null })];
    const operations = fields.map((field) =>
      Object.assign(recorded('Used', `query Used { ${field} }`, uses), { fields: [`Query.${field}`] }),
    );
    write(file, JSON.stringify(usageOf(operations, { exportedAt: today })));
    return [name, join(root, file)] as const;
  });
  return {
    base: 'main',
    root,
    usageOf: new Map(files),
    createReadFigures: () => () => () => undefined,
    readLimits: () => ({
      values: new Map(),
      assumedListSize: 0,
      placeOf: () => ({ file: 'router.yaml', line: 1 }),
      manifests: [],
      isSafelistOn: true,
      rejectionsOver: () => () => [],
    }),
  };
}

const messages = ({ changes }: CheckReport): readonly string[] =>
  changes.map(({ verdict, message }) => `${verdict}: ${message}`);

const failures = (report: CheckReport): readonly string[] =>
  messages(report).filter((message) => message.startsWith('fails'));

describe('A check of a repository with contracts and further graphs', () => {
  it('passes where nothing has changed', async () => {
    expect(await check({})).toMatchObject({ verdict: 'passes', changes: [] });
  });

  it('fails where the clients of one graph use what it loses, and names the graph in each format', async () => {
    write('a.graphql', schema.replace('shown: Int @tag(name: "partner")', ''));
    const report = await check({ partners: ['shown'], also: ['also'], theirs: [] });

    expect(report.verdict).toBe('fails');
    expect(messages(report)).toEqual([
      expect.stringMatching(/^passes: Query\.shown/u),
      expect.stringMatching(/^fails: graph partners: Query\.shown/u),
    ]);
    expect(report.changes[1]?.places).toMatchObject([{ subgraph: 'a', file: 'a.graphql', line: 2 }]);
    for (const format of ['text', 'json', 'markdown', 'junit', 'github', 'sarif'] as const) {
      expect(renderReport(report, format)).toContain('graph partners: Query.shown');
    }
  });

  it('compares a contract by its own filter: what it no longer includes is gone there alone', async () => {
    write('contracts.yaml', 'contracts: { partner: { include: [other] }, also: { include: [partner] } }');
    await expect(check({})).rejects.toThrow('Cannot compose the contract partners');
    write(
      'contracts.yaml',
      'contracts: { partner: { include: [partner], exclude: [x] }, also: { include: [partner] } }',
    );
    write(
      'a.graphql',
      schema.replace('also: Int @tag(name: "partner")', 'also: Int @tag(name: "partner") @tag(name: "x")'),
    );

    expect(failures(await check({ partners: ['also'], also: [] }))).toEqual([
      expect.stringMatching(/^fails: graph partners: Query\.also/u),
    ]);
    expect(await check({ partners: ['shown'], also: ['also'] })).toMatchObject({ verdict: 'passes' });
  });

  it('cannot tell without the usage of a graph whose file has changed', async () => {
    write('other.graphql', supergraphOf('type Query { theirs: Int }'));

    expect(await check({})).toMatchObject({ verdict: 'undecided' });
    expect(await check({ theirs: ['theirs'] })).toMatchObject({ verdict: 'passes' });
    expect(await check({ theirs: ['more'] })).toMatchObject({ verdict: 'fails' });
  });

  it('rejects a contract that is gone unless its usage has no operations, and usage of a graph that is not there', async () => {
    await expect(check({ none: [] })).rejects.toThrow('--usage none=…: there is no such contract or graph');
    write('contracts.yaml', 'contracts: { partner: { include: [partner] } }');
    await expect(check({})).rejects.toThrow('The contract also is gone');
    await expect(check({ also: ['also'] })).rejects.toThrow('The contract also is gone');
    expect(await check({ also: [] })).toMatchObject({ verdict: 'passes' });
  });

  it.each([
    ['is no longer in router.yaml', 'theirs', 'The graph theirs', { ...graphs, theirs: undefined }],
    ['has no file', 'theirs', 'The supergraph of theirs', { ...graphs, theirs: { supergraph: 'none' } }],
    ['serves a contract that stays', 'partners', 'The graph partners', { ...graphs, partners: undefined }],
    ['serves the whole graph', 'shop', 'The graph shop', { ...graphs, shop: undefined }],
  ])('rejects a graph that is gone, where it %s', async (_where, name, sentence, served) => {
    writeRouter(served);
    await expect(check({})).rejects.toThrow(`${sentence} is gone`);
    await expect(check({ [name]: ['also'] })).rejects.toThrow(`${sentence} is gone`);
    expect(await check({ [name]: [] })).toMatchObject({ verdict: 'passes' });
  });

  it('names a contract that is gone by the graph that served it', async () => {
    write('contracts.yaml', 'contracts: { also: { include: [partner] } }');
    await expect(check({})).rejects.toThrow('The supergraph of partners is gone');
    expect(await check({ partners: [] })).toMatchObject({ verdict: 'passes' });
  });

  it('compares a graph whose supergraph has another file with the file that the base names', async () => {
    write('moved.graphql', supergraphOf('type Query { theirs: Int }'));
    write('shop.graphql', supergraphOf(schema.replace('own: Int', '')));
    writeRouter({ ...graphs, shop: { supergraph: 'shop.graphql' }, theirs: { supergraph: 'moved.graphql' } });

    expect(messages(await check({ theirs: ['more'], shop: ['own'] }))).toEqual([
      expect.stringMatching(/^fails: graph shop: Query\.own/u),
      expect.stringMatching(/^fails: graph theirs: Query\.more/u),
    ]);
    expect(await check({ theirs: ['theirs'], shop: ['also'] })).toMatchObject({ verdict: 'passes' });
  });

  it('takes a graph with another name and the same file for the same', async () => {
    writeRouter({ store: graphs.shop, partners: graphs.partners, others: graphs.theirs });
    write('other.graphql', supergraphOf('type Query { theirs: Int }'));

    expect(await check({ others: ['more'] })).toMatchObject({ verdict: 'fails' });
    expect(await check({ others: ['theirs'] })).toMatchObject({ verdict: 'passes' });
  });
});

describe('An approval', () => {
  const edited = schema.replace('guarded: Int @authenticated', 'guarded: Int');
  const request = { reason: 'It is public.', owner: '@team', until: '2999-12-31' };
  const uses = { partners: [], also: [] };
  afterEach(() => rmSync(join(root, 'schema-approvals.yaml'), { force: true }));

  async function approveAll(): Promise<readonly string[]> {
    const failing = (await check(uses)).changes.filter(({ verdict }) => verdict === 'fails');
    const fingerprints = failing.map(({ fingerprint }) => fingerprint);
    // A fingerprint that is given twice is approved once.
    await approve(optionsFor(uses), { ...request, fingerprints: [...fingerprints, ...fingerprints] });
    return failing.map(({ graph }) => graph ?? 'the whole');
  }

  it('is of one graph: the same change of another needs its own', async () => {
    write('a.graphql', edited);

    // As before contracts and further graphs were checked: an approval of then holds.
    expect((await check(uses)).changes[0]).toMatchObject({ fingerprint: '2b236cc1cb79dcc8' });
    expect(await approveAll()).toEqual(['the whole']);
    expect(failures(await check(uses))).toEqual([
      expect.stringMatching(/^fails: graph partners: Query\.guarded needs less authorization/u),
      expect.stringMatching(/^fails: graph also: Query\.guarded needs less authorization/u),
    ]);
    expect(await approveAll()).toEqual(['partners', 'also']);
    expect(await check(uses)).toMatchObject({
      verdict: 'passes',
      approvals: [{ state: 'used' }, { state: 'used' }, { state: 'used' }],
    });
    write(
      'schema-approvals.yaml',
      readFileSync(join(root, 'schema-approvals.yaml'), 'utf8').replace('graph: partners', 'graph: theirs'),
    );
    expect(await check(uses)).toMatchObject({
      verdict: 'fails',
      approvals: [{ state: 'used' }, { state: 'unknown' }, { state: 'used' }],
    });
  });
});

describe('Several graphs of one supergraph', () => {
  const twins = { ...graphs, beta: { supergraph: './/supergraph.graphql' }, twin: graphs.theirs };

  beforeAll(() => {
    writeGraph();
    writeRouter(twins);
    repository.commit({ message: 'Twins', at: 10 });
  });
  beforeEach(() => writeRouter(twins));

  it('have their own usage each', async () => {
    write('other.graphql', supergraphOf('type Query { theirs: Int }'));

    expect(await check({ theirs: ['theirs'] })).toMatchObject({ verdict: 'undecided' });
    expect(await check({ theirs: ['theirs'], twin: ['theirs'] })).toMatchObject({ verdict: 'passes' });
    expect(failures(await check({ theirs: ['more'], twin: ['theirs'] }))).toEqual([
      expect.stringMatching(/^fails: graph theirs: Query\.more/u),
    ]);
  });

  it('are, of the whole one, the whole graph and others: the first has the usage without a name, or by its own', async () => {
    write('a.graphql', schema.replace('own: Int', ''));
    write('schema-check.yaml', 'operations: any\n');

    expect(await check({ beta: [] })).toMatchObject({ verdict: 'undecided' });
    expect(await check({ shop: [], beta: [] })).toMatchObject({ verdict: 'passes' });
    expect(failures(await check({ shop: [], beta: ['own'] }))).toEqual([
      expect.stringMatching(/^fails: graph beta: Query\.own/u),
    ]);
    await expect(check({ shop: [] }, { usage: 'usage.json' })).rejects.toThrow(
      '--usage shop=… is of the whole graph, as is --usage usage.json',
    );
  });
});
