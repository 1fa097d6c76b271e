// `pnpm check` as a team calls it, in a repository of its own: exit codes, approvals by git, deprecation by history. It needs no network.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { composeSupergraph } from '@meridian/composition';
import { readGatewayLimits } from '@meridian/gateway/commands/gateway-limits';
import { readRules } from '@meridian/schema-check';
import { checkRepository, formats } from '@meridian/schema-check/commands/check-repository';
import { callCommand, createGitRepository } from '../../../packages/development/testing/src/index.ts';
import type { CommandEnding } from '../../../packages/development/testing/src/index.ts';

const commands = new URL('../../commands/', import.meta.url);
const link =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@authenticated"])';
const schema = `${link}
type Query { used: Int unused: Int guarded: Int @authenticated }
`;
const manifest = {
  format: 'apollo-persisted-query-manifest',
  version: 1,
  operations: [{ id: 'one', name: 'One', type: 'query', body: 'query One { used }' }],
};
const deep = { id: 'deep', name: 'Deep', type: 'query', body: 'query Deep { deep { leaf } }' };

const repository = createGitRepository();
const { root, git } = repository;

beforeAll(async () => {
  await write(
    'supergraph.yaml',
    'federation_version: =2.14.4\nsubgraphs:\n  a:\n    routing_url: http://127.0.0.1/a\n    schema:\n      file: a.graphql\n',
  );
  await write('persisted-queries.json', JSON.stringify(manifest));
  await write('schema-check.yaml', 'operations: registered\n');
  await writeSchema(schema);
  repository.commit({ message: 'A graph', at: 20 });
});
afterAll(repository.remove);

async function write(path: string, text: string): Promise<void> {
  await writeFile(join(root, path), text);
}

async function writeSchema(sdl: string): Promise<void> {
  await write('a.graphql', sdl);
  const { supergraphSdl = '' } = composeSupergraph([{ name: 'a', routingUrl: 'http://127.0.0.1/a', sdl }]);
  await write('supergraph.graphql', `${supergraphSdl.trimEnd()}\n`);
}

function check(...args: readonly string[]): Promise<CommandEnding> {
  return run('check.ts', '--base', 'main', ...args);
}

function run(command: string, ...args: readonly string[]): Promise<CommandEnding> {
  const env = { ...process.env, NO_COLOR: '1' };
  return callCommand(new URL(command, commands), args, { cwd: root, env });
}

function report(): ReturnType<typeof checkRepository> {
  return checkRepository({
    base: 'main',
    root,
    createReadFigures: () => () => () => undefined,
    readLimits: readGatewayLimits,
  });
}

describe('pnpm check', () => {
  it('says in a line that it cannot read a file as a supergraph', async () => {
    const files = ['--base-supergraph', 'supergraph.graphql', '--head-supergraph', 'a.graphql'];
    const { code, stderr } = await run('check.ts', ...files);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^Cannot read a\.graphql: Cannot load the supergraph: [^\n]+\n$/u),
    });
  });

  it('exits with 0 for what may be merged, 1 for what must not, 2 for a wrong call, 3 where nothing says', async () => {
    expect(await check()).toMatchObject({ code: 0, stdout: expect.stringContaining('no changes') });
    await write('a.graphql', schema.replace('used: Int un', 'other: Int un'));
    expect(await check()).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('One is no longer valid: persisted-queries'),
    });
    expect(await check('--format', 'word')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--format is "word"; it takes text, json'),
    });
    expect(await check('--usage', 'one.json', '--usage', 'two.json')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--usage has one.json and two.json: only one may be without <name>='),
    });
    expect(await check('--usage', 'a=one.json', '--usage', 'a=two.json')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--usage names a graph twice'),
    });
    await write('a.graphql', schema.replace(' unused: Int', ''));
    expect(await report()).toMatchObject({ verdict: 'passes' });
    await write('schema-check.yaml', 'operations: any\n');
    expect(await check()).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('Cannot tell whether clients would break: no usage is at hand'),
    });
    await write('schema-check.yaml', 'operations: registered\n');
    await write('a.graphql', schema);
  });

  it('writes each output where the check cannot be made, beside the error of the terminal', async () => {
    const all = formats.flatMap((format) => ['--write', `${format}=report.${format}`]);
    const written = (format: string): Promise<string> => readFile(join(root, `report.${format}`), 'utf8');
    await write('a.graphql', `${schema}type Thing { size: Int size: Int }`);
    const uncomposed = await check(...all);
    expect(uncomposed).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('a.graphql:3:'),
    });
    for (const format of formats) {
      expect(await written(format)).toContain('Field size already exists on Thing');
    }
    expect(JSON.parse(await written('json'))).toMatchObject({
      verdict: 'fails',
      faults: [
        { kind: 'COMPOSITION_ERROR', places: [{ file: 'a.graphql', line: 3, column: 14 }, { column: 24 }] },
      ],
    });
    await write('a.graphql', schema);

    await write('schema-check.yaml', 'operations: [none]\n');
    const configured = await check('--format', 'github', ...all);
    expect(configured).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Cannot read schema-check.yaml'),
    });
    expect(configured.stdout).toContain('::error file=schema-check.yaml,line=1,col=1,title=CHECK_FAILED::');
    await write('schema-check.yaml', 'operations: registered\n');

    const baseless = await run('check.ts', '--base', 'nowhere', ...all);
    expect(baseless).toMatchObject({ code: 1, stderr: expect.stringContaining('nowhere is not a commit') });
    expect(await written('junit')).toMatch(
      /name="Cannot read the base: nowhere[^]*<failure message="the check cannot be made"/u,
    );
    for (const format of formats) {
      await rm(join(root, `report.${format}`));
    }
    expect(await check('--usage', 'nobody=usage.json', ...all)).toMatchObject({ code: 2 });
    await expect(written('junit')).rejects.toThrow('ENOENT');
  });

  it('writes an approval of loosened authorization, which fails without one and passes with it', async () => {
    await write('a.graphql', schema.replace('guarded: Int @authenticated', 'guarded: Int'));
    const { verdict, changes } = await report();
    expect(verdict).toBe('fails');
    expect(changes[0]).toMatchObject({ kind: 'AUTHORIZATION_LOOSENED', level: 'security', verdict: 'fails' });
    const approval = [
      '--approve',
      changes[0]?.fingerprint ?? '',
      '--reason',
      'It is public.',
      '--owner',
      '@team',
    ];
    expect(await check(...approval)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--approve needs --reason, --owner and --until'),
    });
    expect(await check(...approval, '--until', '2999-12-31')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('schema-approvals.yaml: Query.guarded needs less authorization'),
    });
    expect(await readFile(join(root, 'schema-approvals.yaml'), 'utf8')).toContain('reason: It is public.');
    expect(await report()).toMatchObject({ verdict: 'passes', changes: [{ verdict: 'approved' }] });
    await write('a.graphql', schema);
    expect(await report()).toMatchObject({ verdict: 'passes', approvals: [{ state: 'unused' }] });
    await rm(join(root, 'schema-approvals.yaml'));
  });

  it('lets a field go that was deprecated so many days ago as the rules ask, as the history says', async () => {
    await write('schema-check.yaml', 'operations: registered\ndeprecation_days: 7\n');
    await write('a.graphql', schema.replace(' unused: Int', ''));
    expect(await report()).toMatchObject({
      verdict: 'fails',
      changes: [{ reason: 'it was not deprecated 7 days ago, as the rules ask' }],
    });
    await writeSchema(schema.replace('unused: Int', 'unused: Int @deprecated(reason: "It goes.")'));
    repository.commit({ message: 'Deprecate', at: 5 });
    await write('a.graphql', schema.replace(' unused: Int', ''));
    expect(await report()).toMatchObject({ verdict: 'fails' });
    await write('schema-check.yaml', 'operations: registered\ndeprecation_days: 4\n');
    expect(await report()).toMatchObject({ verdict: 'fails' });
    await write('a.graphql', schema.replace('unused: Int', 'unused: Int @deprecated(reason: "It goes.")'));
    repository.commit({ message: 'Loosen the rules', at: 0 });
    await write('a.graphql', schema.replace(' unused: Int', ''));
    expect(await report()).toMatchObject({ verdict: 'passes' });
  });
});

describe('A path of a manifest in schema-check.yaml', () => {
  const fault = 'schema-check.yaml: manifests[0].path persisted-querys.json names no file\n';

  it('that names no file ends pnpm check and pnpm graph who, whatever the change is', async () => {
    await write(
      'schema-check.yaml',
      'operations: registered\nmanifests: [{ path: persisted-querys.json }]\n',
    );
    await write('a.graphql', schema.replace('used: Int un', 'other: Int un'));
    expect(await check()).toEqual({ code: 1, stdout: '', stderr: fault });
    await write('a.graphql', schema);
    expect(await run('graph.ts', 'who', 'Query.used')).toEqual({ code: 1, stdout: '', stderr: fault });
  });

  it('that moves does not hide the operations that the base lists', async () => {
    await write('schema-check.yaml', 'operations: registered\nmanifests: [{ path: shop.json }]\n');
    await write('shop.json', JSON.stringify({ ...manifest, operations: [] }));
    await write('a.graphql', schema.replace('used: Int un', 'other: Int un'));
    for (const remove of [false, true]) {
      if (remove) {
        await rm(join(root, 'persisted-queries.json'));
      }
      expect(await report()).toMatchObject({
        verdict: 'fails',
        changes: expect.arrayContaining([
          expect.objectContaining({ kind: 'IDENTIFIER_REMOVED', verdict: 'fails' }),
          expect.objectContaining({ kind: 'FIELD_REMOVED', verdict: 'fails' }),
        ]),
      });
    }
  });
});

describe('What judges a change', () => {
  const routerConfig = (limits: string, isSafelistOn = true): string =>
    `persisted_queries: { enabled: true, safelist: { enabled: ${isSafelistOn} } }\nlimits: { ${limits} }\n`;
  const nested = schema.replace('type Query {', 'type Deep { leaf: Int }\ntype Query { deep: Deep ');

  beforeAll(async () => {
    await rm(join(root, 'shop.json'), { force: true });
    await write('persisted-queries.json', JSON.stringify(manifest));
    await write('schema-check.yaml', 'operations: registered\n');
    await write('router.yaml', routerConfig('max_depth: 12, max_aliases: 30'));
    await writeSchema(nested);
    repository.commit({ message: 'Limits', at: 0 });
  });
  const restore = (): void => git('checkout', '--quiet', '.');

  it('is a lowered limit of router.yaml, too: it names the operations that the gateway would reject, and their place', async () => {
    await write(
      'persisted-queries.json',
      JSON.stringify({ ...manifest, operations: [deep, ...manifest.operations] }, undefined, 2),
    );
    repository.commit({ message: 'A deeper operation', at: 0 });
    await write('router.yaml', routerConfig('max_depth: 1, max_aliases: 30'));
    const { verdict, changes } = await report();
    expect(verdict).toBe('fails');
    expect(changes).toMatchObject([
      {
        kind: 'OPERATION_TOO_DEEP',
        verdict: 'fails',
        operations: [{ name: 'Deep' }],
        places: [{ file: 'persisted-queries.json', line: 6 }],
      },
    ]);
    expect(await check('--format', 'github')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('::error file=persisted-queries.json,line=6,'),
    });
    restore();
  });

  it('is the stricter side of router.yaml and of schema-check.yaml, and what a change loosens is in the report', async () => {
    await write('router.yaml', routerConfig('max_depth: 50'));
    await write(
      'schema-check.yaml',
      'operations: registered\nfail_on: [security]\nignore: { clients: [persisted-queries] }\n',
    );
    await write('a.graphql', nested.replace('used: Int un', 'other: Int un'));
    const { verdict, changes } = await report();
    expect(verdict).toBe('fails');
    expect(changes).toEqual(
      expect.arrayContaining(
        [
          { kind: 'FIELD_REMOVED', verdict: 'fails', operations: [expect.anything()] },
          { kind: 'RULES_LOOSENED', coordinate: 'schema-check.yaml fail_on', verdict: 'passes' },
          { kind: 'RULES_LOOSENED', coordinate: 'schema-check.yaml ignore.clients' },
          { kind: 'LIMIT_LOOSENED', coordinate: 'router.yaml limits.max_depth', before: '12', after: '50' },
          { kind: 'LIMIT_LOOSENED', coordinate: 'router.yaml limits.max_aliases', after: 'no limit' },
        ].map((change) => expect.objectContaining(change)),
      ),
    );
    expect(changes.filter(({ places }) => places.length === 0)).toEqual([]);
    restore();
  });

  it('is any operation, while the safelist is off', async () => {
    await write('router.yaml', routerConfig('max_depth: 12, max_aliases: 30', false));
    await write('a.graphql', nested.replace(' unused: Int', ''));
    expect(await report()).toMatchObject({
      verdict: 'undecided',
      changes: expect.arrayContaining([
        expect.objectContaining({ kind: 'SAFELIST_OFF' }),
        expect.objectContaining({ kind: 'SAFELIST_MISSING', coordinate: 'schema-check.yaml operations' }),
      ]),
    });
    restore();
  });

  it('is a hint of composition that the base does not have, too', async () => {
    const overriding = nested
      .replace('"@authenticated"', '"@authenticated", "@override"')
      .replace('unused: Int', 'unused: Int @override(from: "nowhere")');
    await write('a.graphql', overriding);
    expect((await report()).changes).toContainEqual(
      expect.objectContaining({
        kind: 'COMPOSITION_HINT',
        coordinate: 'FROM_SUBGRAPH_DOES_NOT_EXIST',
        verdict: 'passes',
        places: [expect.objectContaining({ file: 'a.graphql', line: 3 })],
      }),
    );
    restore();
  });

  it('is nothing in the first commit with a graph', async () => {
    git('checkout', '--quiet', '--orphan', 'empty');
    git('rm', '--quiet', '-r', '--force', '.');
    await write('README.md', 'Nothing yet.\n');
    repository.commit({ message: 'Nothing yet', at: 0 });
    git('checkout', '--quiet', 'main', '--', '.');
    expect(await run('check.ts', '--base', 'empty')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('which has no graph: everything is new'),
    });
  });
});

describe('schema-check.yaml', () => {
  it('of this repository is what its rules read', async () => {
    const text = await readFile(join(import.meta.dirname, '../../../schema-check.yaml'), 'utf8');
    expect(readRules(text)).toMatchObject({ operations: 'registered' });
  });
});
