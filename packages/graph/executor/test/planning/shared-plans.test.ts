// Operations that differ in nothing but the values of arguments have one plan, and the planner sees none of these
// values.
import { describe, expect, it } from '@jest/globals';

import type { Planner, SubgraphTransport } from '../../src/index.ts';
import { PlannerBusyError, createExecutor, createLocalPlanner } from '../../src/index.ts';
import { runText, supergraphOf } from '../support/federation.ts';

const supergraph = supergraphOf({
  things: `
    scalar Anything
    enum Kind { WET DRY }
    input Filter { names: [String!] deep: Filter }
    type Query { thing(any: Anything, kind: Kind, filter: Filter, id: ID): Thing }
    type Thing @key(fields: "id") { id: ID! size(unit: String = "m", digits: Int): Int }
  `,
  costs: 'type Thing @key(fields: "id") { id: ID! cost(of: [Int!], currency: String): Int }',
});

interface Sent {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** An executor, what its planner was asked, and what its subgraphs were. */
function observed(planner: Pick<Planner, 'plan'> = createLocalPlanner(supergraph)) {
  const planned: string[] = [];
  const sent: Sent[] = [];
  const transport: SubgraphTransport = {
    async send({ subgraph, body }) {
      sent.push(JSON.parse(body) as Sent);
      const thing = { __typename: 'Thing', id: '1', size: 2 };
      const data = subgraph === 'things' ? { thing } : { _entities: [{ cost: 3 }] };
      return { text: JSON.stringify({ data }), cacheControl: undefined };
    },
  };
  const executor = createExecutor({
    supergraph,
    transport,
    planner: {
      plan(operation, ...rest) {
        planned.push(operation);
        return planner.plan(operation, ...rest);
      },
      close: () => Promise.resolve(),
    },
  });
  return {
    planned,
    sent,
    run: (text: string, variables: Readonly<Record<string, unknown>> = {}) =>
      runText(executor, text, variables),
  };
}

describe('Operations that differ only in the values of arguments', () => {
  const textWith = (id: string, size: string, cost: string): string =>
    `query A { thing(id: ${id}) { size(unit: ${size}) cost(of: ${cost}) } }`;

  it('are planned once, and each fetches its own values', async () => {
    const { planned, sent, run } = observed();

    await run(textWith('"a"', '"cm"', '[1, 2]'));
    await run(textWith('5', '"mm"', '[]'));

    expect(planned).toHaveLength(1);
    expect(sent.map(({ query }) => query)).toEqual([
      expect.stringContaining('thing(id:"a"){__typename id size(unit:"cm")}'),
      expect.stringContaining('cost(of:[1 2])'),
      expect.stringContaining('thing(id:5){__typename id size(unit:"mm")}'),
      expect.stringContaining('cost(of:[])'),
    ]);
    expect(sent.map(({ variables }) => variables)).toEqual([
      undefined,
      { representations: [expect.anything()] },
      undefined,
      { representations: [expect.anything()] },
    ]);
  });

  it('are planned separately when equal values of one are different ones in the other', async () => {
    const { planned, run } = observed();
    const textOf = (one: number, other: number): string =>
      `{ thing { size(digits: ${one}) ... on Thing { again: size(digits: ${other}) } } }`;

    await run(textOf(1, 1));
    await run(textOf(1, 2));

    expect(planned).toHaveLength(2);
  });

  it('are planned once when they run at the same time', async () => {
    const { planned, run } = observed();

    await Promise.all([run(textWith('1', '"m"', '[1]')), run(textWith('2', '"m"', '[2]'))]);

    expect(planned).toHaveLength(1);
  });

  it('are rejected together when one cannot be planned', async () => {
    const { planned, run } = observed({ plan: async () => ({ rejection: 'takes too long' }) });

    await expect(run(textWith('1', '"m"', '[1]'))).rejects.toThrow('takes too long');
    await expect(run(textWith('2', '"m"', '[2]'))).rejects.toThrow('takes too long');
    expect(planned).toHaveLength(1);
  });

  it('are planned again after the planner had too much to do', async () => {
    const { planned, run } = observed({ plan: () => Promise.reject(new PlannerBusyError()) });

    await expect(run(textWith('1', '"m"', '[1]'))).rejects.toThrow(PlannerBusyError);
    await expect(run(textWith('1', '"m"', '[1]'))).rejects.toThrow(PlannerBusyError);
    expect(planned).toHaveLength(2);
  });
});

describe('The query planner', () => {
  it('receives no literal value, however deep it is', async () => {
    const { planned, sent, run } = observed();
    const deep = `${'['.repeat(400)}1${']'.repeat(400)}`;

    await run(`{ thing(any: ${deep}, kind: DRY, filter: { deep: { names: ["x"] } }) { id } }`);

    expect(planned[0]).toMatch(/^query \(\$_argument0: Anything, \$_argument1: Kind, \$_argument2: Filter\)/);
    expect(planned[0]?.slice(1)).not.toMatch(/\[|"x"|DRY/);
    expect(sent[0]?.query).toBe(`{thing(any:${deep}kind:DRY filter:{deep:{names:["x"]}}){id}}`);
  });

  it('receives no variable inside a value, which is sent to the subgraph all the same', async () => {
    const { sent, run } = observed();

    await run(
      'query A($one: Int!, $name: String = "m", $unused: Int) { thing(any: { a: [$one, 2] }) { size(unit: $name) cost(of: [$one]) } }',
      { one: 1, name: 'cm', unused: 3 },
    );

    expect(sent).toMatchObject([
      {
        query: expect.stringMatching(
          /^query A__things\(\$one:Int!\$name:String="m"\)\{thing\(any:\{a:\[\$one 2\]\}\)/,
        ),
        variables: { one: 1, name: 'cm' },
      },
      { query: expect.stringContaining('cost(of:[$one])'), variables: { one: 1 } },
    ]);
    expect(sent[0]?.query).not.toContain('unused');
  });
});
