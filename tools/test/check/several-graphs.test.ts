// A repository whose gateway serves several graphs: each has the manifests and the limits of its own file.
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { composeSupergraph } from '@meridian/composition';
import { readGatewayLimits } from '@meridian/gateway/commands/gateway-limits';
import { createReadFigures } from '@meridian/gateway/figures/operation-figures';
import { checkRepository } from '@meridian/schema-check/commands/check-repository';
import { callCommand, createGitRepository } from '../../../packages/development/testing/src/index.ts';
import type { CommandEnding } from '../../../packages/development/testing/src/index.ts';

const repository = createGitRepository();
const { root, write } = repository;
afterAll(repository.remove);

const partner =
  'type Query { theirs: Int @deprecated(reason: "Use deep.")  unused: Int  deep: Deep } type Deep { leaf: Int }';
const usedField = /theirs: Int @dep\S+ "[^"]+"\)/u;
const partnerYaml = `persisted_queries: { enabled: true, local_manifests: [./partner.json], safelist: { enabled: true } }
limits:
  max_depth: 5
`;
const shared = {
  persisted_queries: { enabled: true, safelist: { enabled: true } },
  meridian: {
    graphs: {
      shop: {},
      partner: { path: '/partner', supergraph: 'partner.graphql', config: 'partner.yaml' },
    },
  },
};
const theirs = { id: 'a', name: 'Theirs', type: 'query', body: 'query Theirs { theirs deep { leaf } }' };

function manifestOf(...operations: readonly object[]): string {
  return JSON.stringify({ format: 'apollo-persisted-query-manifest', version: 1, operations });
}

function supergraphOf(sdl: string): string {
  const { supergraphSdl = '' } = composeSupergraph([{ name: 'a', routingUrl: 'http://127.0.0.1/a', sdl }]);
  return `${supergraphSdl.trimEnd()}\n`;
}

function writeAll(): void {
  write(
    'supergraph.yaml',
    'federation_version: =2.14.4\nsubgraphs: { a: { routing_url: http://127.0.0.1/a, schema: { file: a.graphql } } }\n',
  );
  write('a.graphql', 'type Query { ours: Int }');
  write('supergraph.graphql', supergraphOf('type Query { ours: Int }'));
  write('partner.graphql', supergraphOf(partner));
  write('router.yaml', JSON.stringify(shared));
  write('partner.yaml', partnerYaml);
  write('partner.json', manifestOf(theirs));
  write(
    'persisted-queries.json',
    manifestOf({ id: 'b', name: 'Ours', type: 'query', body: 'query Ours { ours }' }),
  );
  write('schema-check.yaml', 'operations: registered\n');
}

writeAll();
repository.commit({ message: 'Two graphs', at: 20 });
beforeEach(writeAll);

async function check(): Promise<{ verdict: string; changes: readonly string[] }> {
  const { verdict, changes } = await checkRepository({
    base: 'main',
    root,
    createReadFigures,
    readLimits: readGatewayLimits,
  });
  return {
    verdict,
    changes: changes.map(({ kind, verdict: ofChange, graph, places }) =>
      `${graph ?? 'whole'} ${ofChange}: ${kind} ${places.map(({ file, line }) => `${file}:${line}`).join()}`.trim(),
    ),
  };
}

describe('A graph of several with a manifest of its own', () => {
  it('loses no field that an operation of it uses', async () => {
    write('partner.graphql', supergraphOf(partner.replace(usedField, '')));
    expect(await check()).toMatchObject({
      verdict: 'fails',
      changes: [expect.stringMatching(/^partner fails: FIELD_REMOVED/u)],
    });
  });

  it('loses a field that none uses, where a safelist lets no other operation run', async () => {
    write('partner.graphql', supergraphOf(partner.replace('unused: Int', '')));
    expect(await check()).toMatchObject({ verdict: 'passes' });
    write('partner.yaml', partnerYaml.replace('safelist: { enabled: true }', 'safelist: { enabled: false }'));
    expect(await check()).toMatchObject({ verdict: 'undecided' });
  });

  it.each([
    ['by a glob', './partner*.json', 'fails', 'passes'],
    ['by a folder', './manifests/', 'fails', 'passes'],
    ['by a URL', 'https://manifests.example/partner.json', 'undecided', 'undecided'],
    ['by a variable', '"${env.PARTNER}"', 'undecided', 'undecided'],
    ['by an absolute path', '/partner.json', 'undecided', 'undecided'],
    ['by a path that names no file', 'nowhere.json', 'undecided', 'undecided'],
    ['by a file that git ignores', 'ignored.json', 'fails', 'undecided'],
    ['partly by a URL', 'partner.json, https://manifests.example/partner.json', 'fails', 'undecided'],
    ['beside one that router.yaml names', 'partner.json, persisted-queries.json', 'fails', 'undecided'],
  ])('named %s loses no field that clients may use', async (_how, paths, withUsed, withUnused) => {
    write('partner.yaml', partnerYaml.replace('./partner.json', paths));
    write('manifests/partner.json', manifestOf(theirs));
    write('ignored.json', manifestOf(theirs));
    write('.gitignore', 'ignored.json');
    repository.commit({ message: 'Manifests by other names', at: 10 });

    write('partner.graphql', supergraphOf(partner.replace(usedField, '')));
    expect(await check()).toMatchObject({ verdict: withUsed });
    write('partner.graphql', supergraphOf(partner.replace('unused: Int', '')));
    expect(await check()).toMatchObject({ verdict: withUnused });

    const { stdout } = await graph('who', 'Query.theirs', '--graph', 'partner');
    expect(stdout).toContain(withUsed === 'fails' ? 'Theirs' : `no file of the repository is at `);
    writeAll();
    repository.commit({ message: 'Two graphs', at: 9 });
  });

  it.each([
    ['an operation', () => write('partner.json', manifestOf())],
    ['the manifest', () => write('partner.yaml', partnerYaml.replace('./partner.json', 'other.json'))],
  ])('keeps the identifiers that its clients send: without %s', async (_what, change) => {
    change();
    expect(await check()).toMatchObject({
      verdict: 'fails',
      changes: [expect.stringMatching(/^partner fails: IDENTIFIER_REMOVED/u)],
    });
  });

  it('is alone in having it, where the rules name its client', async () => {
    write(
      'schema-check.yaml',
      'operations: registered\nmanifests: [{ path: partner.json, client: them, owner: "@them" }, { path: persisted-queries.json }]\n',
    );
    expect(await check()).toEqual({ verdict: 'passes', changes: [] });
    expect((await graph('who', 'Deep.leaf', '--graph', 'partner')).stdout).toMatch(/Theirs[\s\S]*them/u);
  });
});

describe('A graph of several with limits of its own', () => {
  it('rejects none of its operations from now on', async () => {
    write('partner.yaml', partnerYaml.replace('5', '1'));
    expect(await check()).toMatchObject({
      verdict: 'fails',
      changes: [expect.stringMatching(/^partner fails: OPERATION_TOO_DEEP/u)],
    });
  });

  it('says where a limit is loosened', async () => {
    write('partner.yaml', partnerYaml.replace('5', '9'));
    expect(await check()).toEqual({
      verdict: 'passes',
      changes: ['partner passes: LIMIT_LOOSENED partner.yaml:3'],
    });
  });

  it('does not notice the limits of others, and notices the ones that it shares', async () => {
    write('router.yaml', JSON.stringify({ ...shared, limits: { max_depth: 1 } }));
    expect(await check()).toMatchObject({ verdict: 'passes' });
    write('router.yaml', JSON.stringify({ ...shared, limits: { max_root_fields: 1 } }));
    expect(await check()).toMatchObject({
      verdict: 'fails',
      changes: [expect.stringMatching(/^partner fails: OPERATION_TOO_MANY_ROOT_FIELDS/u)],
    });
  });
});

function graph(...args: readonly string[]): Promise<CommandEnding> {
  const env = { ...process.env, DATABASE_URL: undefined, NO_COLOR: '1' };
  return callCommand(new URL('../../commands/graph.ts', import.meta.url), args, { cwd: root, env });
}

describe('pnpm graph', () => {
  it('answers for the graph that --graph names, by its own operations, else for the whole one', async () => {
    expect((await graph('who', 'Query.theirs', '--graph', 'partner')).stdout).toContain('Theirs');
    expect((await graph('who', 'Query.theirs')).stderr).toContain('Query.theirs');
    expect((await graph('who', 'Query.ours')).stdout).toContain('Ours');
    expect((await graph('who', 'Query.ours', '--graph', 'none')).stderr).toContain(
      '--graph none: there is no such contract or graph; there are shop, partner',
    );
    expect((await graph('deprecated', '--graph', 'partner')).stdout).toMatch(
      /Query\.theirs.*partner.*Use deep\./u,
    );
    expect((await graph('deprecated')).stdout).toContain('Nothing is deprecated.');
    expect((await graph('--graph', 'partner', '--out', 'partner.html')).stdout).toContain(
      'partner.html: 2 types, 1 operation',
    );
  });
});
