// `@override`: a field that has moved to another subgraph, or moves while a label is set.
import { afterEach, describe, expect, it } from '@jest/globals';
import { composeSupergraph } from '@meridian/composition';
import { parse } from 'graphql';

import type { ExecutorOptions, RunParameters } from '../../src/index.ts';
import { createExecutor, createPlannerThread, findLabels, loadSupergraph } from '../../src/index.ts';
import type { Federation } from '../support/federation.ts';
import { startFederation } from '../support/federation.ts';
import type { SubgraphDefinition } from '../support/stub-subgraph.ts';

const product = (owner: string) => ({ id: 'p1', name: owner, weight: owner, size: owner, price: owner });

const subgraphs: Readonly<Record<'old' | 'fresh', SubgraphDefinition>> = {
  old: {
    sdl: `
      type Query { products: [Product!]! }
      type Product @key(fields: "id") { id: ID!  name: String  weight: String  size: String  price: String }
    `,
    resolvers: {
      Query: { products: () => [product('old')] },
      Product: { __resolveReference: () => product('old') },
    },
  },
  fresh: {
    sdl: `
      type Query { empty: Boolean }
      type Product @key(fields: "id") {
        id: ID!
        name: String @override(from: "old", label: "percent(25.5)")
        weight: String @override(from: "old", label: "weights-moved")
        size: String @override(from: "old", label: "sizes-moved")
        price: String @override(from: "old")
      }
    `,
    resolvers: { Product: { __resolveReference: () => product('fresh') } },
  },
};

let federation: Federation<keyof typeof subgraphs> | undefined;

afterEach(async () => {
  await federation?.close();
  federation = undefined;
});

describe('@override', () => {
  /** The first product, run after run. */
  async function productsOf(
    text: string,
    runs: readonly Partial<Pick<RunParameters, 'overrideLabels'>>[],
    options: Partial<ExecutorOptions> = {},
  ): Promise<readonly unknown[]> {
    federation = await startFederation(subgraphs, {
      create: (given) => createExecutor({ ...given, ...options }),
    });
    const operation = federation.executor.prepare({ document: parse(text) });
    const results = [];
    for (const run of runs) {
      const signal = new AbortController().signal;
      const { data, errors } = await operation.run({ variables: {}, headersFor: () => ({}), signal, ...run });
      expect(errors).toEqual([]);
      results.push((JSON.parse(data) as { products: readonly unknown[] }).products[0]);
    }
    return results;
  }

  it('takes a field without a label from its new subgraph', async () => {
    expect(await productsOf('{ products { price } }', [{}])).toEqual([{ price: 'fresh' }]);
  });

  it('takes a field with a label from its new subgraph in the executions that set the label', async () => {
    expect(
      await productsOf('{ products { weight size } }', [
        {},
        { overrideLabels: new Set(['weights-moved']) },
        { overrideLabels: new Set(['sizes-moved', 'unknown']) },
        { overrideLabels: new Set(['sizes-moved', 'weights-moved']) },
        {},
      ]),
    ).toEqual([
      { weight: 'old', size: 'old' },
      { weight: 'fresh', size: 'old' },
      { weight: 'old', size: 'fresh' },
      { weight: 'fresh', size: 'fresh' },
      { weight: 'old', size: 'old' },
    ]);
  });

  it('picks a percentage at random once for each execution, unless its label is set', async () => {
    const drawn: number[] = [];
    const numbers = [0.254, 0.255, 0.999];
    const random = (): number => {
      drawn.push(numbers[drawn.length] ?? 1);
      return drawn.at(-1) ?? 1;
    };
    const labelled = { overrideLabels: new Set(['percent(25.5)']) };

    expect(await productsOf('{ products { name again: name } }', [{}, labelled, {}, {}], { random })).toEqual(
      ['fresh', 'fresh', 'old', 'old'].map((name) => ({ name, again: name })),
    );
    expect(drawn).toEqual(numbers);
  });

  it('picks nothing at random for an operation without percentages', async () => {
    const random = (): number => {
      throw new Error('Nothing is to be drawn');
    };

    expect(await productsOf('{ products { weight price } }', [{}], { random })).toEqual([
      { weight: 'old', price: 'fresh' },
    ]);
  });
});

describe('The planner of an operation with labels', () => {
  it('plans it once for each set of the labels that concern it', async () => {
    federation = await startFederation(subgraphs);
    const { supergraph } = federation;
    const thread = createPlannerThread(supergraph);
    const planned: unknown[] = [];
    const planner: typeof thread = {
      plan(text, labels) {
        planned.push(labels);
        return thread.plan(text, labels);
      },
      close: () => thread.close(),
    };
    const transport = { send: () => Promise.reject(new Error('Nothing is sent')) };
    const executor = createExecutor({ supergraph, transport, planner });
    const operation = executor.prepare({ document: parse('{ products { weight } }') });

    const plans = [];
    for (const labels of [[], ['weights-moved'], ['weights-moved', 'sizes-moved'], ['sizes-moved'], []]) {
      plans.push(await operation.plan({}, new Set(labels)));
    }
    await planner.close();

    expect(planned).toEqual([[], ['weights-moved']]);
    expect(plans[2]).toBe(plans[1]);
    expect(plans[4]).toBe(plans[0]);
    expect(plans[1]).not.toEqual(plans[0]);
  });
});

describe('The labels of an operation', () => {
  const sdls = {
    old: `
      type Query { nodes: [Node]  products: [Product]  parcels: [Parcel] }
      interface Node { id: ID!  name: String }
      type Product implements Node @key(fields: "id") { id: ID!  name: String  sku: ID! @shareable  weight: Int @shareable }
      type Parcel implements Node @key(fields: "id") { id: ID!  name: String }
    `,
    fresh: `
      type Product @key(fields: "id") {
        id: ID!
        name: String @override(from: "old", label: "names")
        weight: Int @shareable @override(from: "old", label: "weights")
        sku: ID! @shareable @override(from: "old", label: "skus")
      }
    `,
    other: `
      type Product @key(fields: "id") @key(fields: "sku") { id: ID!  sku: ID! @shareable  weight: Int @shareable }
    `,
    shipping: `
      type Product @key(fields: "id") { id: ID!  weight: Int @external  postage: Int @requires(fields: "weight") }
    `,
  };
  const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.7",
    import: ["@key", "@override", "@external", "@requires", "@shareable"])`;
  const { supergraphSdl = '' } = composeSupergraph(
    Object.entries(sdls).map(([name, sdl]) => ({
      name,
      routingUrl: `http://${name}/`,
      sdl: `${link}${sdl}`,
    })),
  );
  const supergraph = loadSupergraph(supergraphSdl);

  it.each([
    ['a selected field', '{ products { name } }', ['names', 'skus']],
    ['a field of an interface, by its types', '{ nodes { name } }', ['names', 'skus']],
    ['a field of a fragment', '{ nodes { ... on Product { weight } } }', ['skus', 'weights']],
    ['what a field requires', '{ products { postage } }', ['skus', 'weights']],
    ['a key of its entities', '{ products { id } }', ['skus']],
    ['nothing for a field of another type with the same name', '{ parcels { name } }', []],
  ])('include %s', (_title, text, expected) => {
    expect(findLabels(parse(text), supergraph).names.toSorted()).toEqual(expected);
  });
});
