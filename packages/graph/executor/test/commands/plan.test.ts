import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callCommand } from '@meridian/testing';

import { explainOperation, loadSupergraph } from '../../src/index.ts';
import { composeSdl } from '../support/federation.ts';
import { library } from '../support/library.ts';
import { sdlOf } from '../support/stub-subgraph.ts';

let directory: string;

/** A field moves with a percentage, and one with a label. */
const moving = [
  {
    name: 'old',
    sdl: 'type Query { item: Item } type Item @key(fields: "id") { id: ID!  price: Int  stock: Int }',
  },
  {
    name: 'new',
    sdl: `type Item @key(fields: "id") {
      id: ID!  price: Int @override(from: "old", label: "percent(50)")  stock: Int @override(from: "old", label: "stock-moves")
    }`,
  },
].map(({ name, sdl }) => ({ name, sdl: sdlOf({ sdl, resolvers: {} }), routingUrl: `http://${name}` }));

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'meridian-plan-'));
  const subgraphs = Object.entries(library).map(([name, definition]) => ({
    name,
    sdl: sdlOf(definition),
    routingUrl: `http://${name}`,
  }));
  await writeFile(join(directory, 'supergraph.graphql'), composeSdl(subgraphs));
  await writeFile(
    join(directory, 'operations.graphql'),
    'query A { films { id } } query B($with: Boolean!) { books { id likes @include(if: $with) } }',
  );
  await writeFile(join(directory, 'invalid.graphql'), '{ nobody }');
  await writeFile(join(directory, 'moving.graphql'), composeSdl(moving));
  await writeFile(join(directory, 'moved.graphql'), '{ item { price stock } }');
});

afterAll(() => rm(directory, { recursive: true }));

interface Outcome {
  readonly exitCode: number | null;
  /** Of standard output where it succeeds, else of standard error. */
  readonly text: string;
}

async function runPlanCommand(args: readonly string[]): Promise<Outcome> {
  const program = new URL('../../../../../tools/commands/graph.ts', import.meta.url);
  const { code, stdout, stderr } = await callCommand(program, ['plan', ...args]);
  return { exitCode: code, text: (code === 0 ? stdout : stderr).trimEnd() };
}

/** Runs the command with a file of the directory. */
async function plan(file: string, ...flags: readonly string[]): Promise<Outcome> {
  return await runPlanCommand([
    join(directory, file),
    '--supergraph',
    join(directory, 'supergraph.graphql'),
    ...flags,
  ]);
}

describe('pnpm graph plan', () => {
  it('shows the plan of an operation', async () => {
    const { exitCode, text } = await plan(
      'operations.graphql',
      '--operation',
      'B',
      '--variables',
      '{"with": true}',
    );

    expect(exitCode).toBe(0);
    expect(text).toMatch(/^2 fetches in 2 rounds\n\nin order\n {2}fetch 1: query books\n/u);
  });

  it('draws the plan of an operation', async () => {
    expect((await plan('operations.graphql', '--operation', 'A', '--mermaid')).text).toMatch(
      /^flowchart TD\n {2}request/u,
    );
  });

  describe('over fields with @override labels', () => {
    const planMoved = (...flags: readonly string[]): Promise<Outcome> =>
      runPlanCommand([
        join(directory, 'moved.graphql'),
        '--supergraph',
        join(directory, 'moving.graphql'),
        ...flags,
      ]);

    it('picks no percentage at random, and says which labels are not set', async () => {
      const { text } = await planMoved();
      expect(text).toMatch(
        /^1 fetch in 1 round\nlabel percent\(50\): not set\nlabel stock-moves: not set\n\nfetch 1: query old\n/u,
      );
      const supergraph = loadSupergraph(composeSdl(moving));
      const input = {
        text: '{ item { price stock } }',
        name: undefined,
        variables: {},
        labels: new Set<string>(),
      };
      for (let run = 0; run < 20; run += 1) {
        expect((await explainOperation(supergraph, input)).labels.get('percent(50)')).toBe(false);
      }
    });

    it('sets the labels that its flags name', async () => {
      const { text } = await planMoved('--label', 'percent(50)', '--label', 'stock-moves');
      expect(text).toMatch(/^2 fetches in 2 rounds\nlabel percent\(50\): set\nlabel stock-moves: set\n\n/u);
      expect(text).toMatch(/query new[^]*price\s+stock/u);
    });

    it('refuses an unknown label', async () => {
      expect(await planMoved('--label', 'percent(60)')).toEqual({
        exitCode: 1,
        text: '--label takes a label of the supergraph (percent(50), stock-moves), not percent(60)',
      });
    });
  });

  it.each([
    ['operations.graphql', [], 'The document has several operations, and none was named'],
    ['operations.graphql', ['--operation', 'B'], 'The variable "$with" is not a boolean'],
    [
      'operations.graphql',
      ['--operation', 'B', '--variables', '[]'],
      '--variables takes a JSON object, not []',
    ],
    ['invalid.graphql', [], 'Cannot query field "nobody" on type "Query".'],
  ])('says in a line why it has no plan: %s %j', async (file, flags, message) => {
    const { exitCode, text } = await plan(file, ...flags);

    expect(exitCode).toBe(1);
    expect(text).toContain(message);
    expect(text.split('\n')).toHaveLength(1);
  });

  it.each([
    ['absent.graphql', []],
    ['operations.graphql', ['--supergraph', 'absent.graphql']],
    ['.', []],
  ])('says in a line which file it cannot read: %j %j', async (file, flags) => {
    const { exitCode, text } = await plan(file, ...flags);

    expect(exitCode).toBe(2);
    expect(text).toMatch(
      /^\S*(?:absent\.graphql|meridian-plan-\w+) is not there or not readable: see pnpm graph plan --help$/u,
    );
  });

  it.each([
    [['--nothing'], "Unknown option '--nothing'"],
    [[], '<file> is missing'],
    [['one.graphql', 'two.graphql'], "Unexpected argument 'two.graphql'"],
    [['one.graphql', '--operation'], "Option '--operation <value>' argument missing"],
  ])('refuses %j in one line', async (args, fault) => {
    expect(await runPlanCommand(args)).toEqual({ exitCode: 2, text: `${fault}: see pnpm graph plan --help` });
  });

  it('prints its help, whatever else is wrong', async () => {
    expect(await runPlanCommand(['--nothing', '--help'])).toEqual({
      exitCode: 0,
      text: expect.stringMatching(/^Usage: pnpm graph plan <file> \[flags\]\n/u),
    });
  });
});
