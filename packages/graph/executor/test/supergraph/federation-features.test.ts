// Parts of federations that the generated ones lack.
import { afterEach, describe, expect, it } from '@jest/globals';

import type { Federation } from '../support/federation.ts';
import { startFederation } from '../support/federation.ts';
import type { SubgraphDefinition } from '../support/stub-subgraph.ts';

let federation: Federation<string> | undefined;

afterEach(async () => {
  await federation?.close();
  federation = undefined;
});

async function resultOf(
  subgraphs: Readonly<Record<string, SubgraphDefinition>>,
  text: string,
): Promise<{ readonly data: unknown; readonly errors: readonly unknown[] }> {
  federation = await startFederation(subgraphs);
  return await federation.run(text);
}

describe('The executor over subgraphs of federation 1', () => {
  const products: SubgraphDefinition = {
    isFederation1: true,
    sdl: `
      type Query { products: [Product] }
      type Product @key(fields: "id") @key(fields: "sku") { id: ID!  sku: String  name: String  weight: Int }
    `,
    resolvers: {
      Query: { products: () => [{ id: 'p1', sku: 's1', weight: 3 }] },
      Product: { __resolveReference: () => ({ id: 'p1', sku: 's1', name: 'Anvil', weight: 3 }) },
    },
  };
  const reviews: SubgraphDefinition = {
    isFederation1: true,
    sdl: `
      extend type Query { reviews: [Review] }
      type Review { product: Product }
      extend type Product @key(fields: "sku") {
        sku: String @external
        weight: Int @external
        heavy: Boolean @requires(fields: "weight")
      }
    `,
    resolvers: {
      Query: { reviews: () => [{ product: { sku: 's1' } }] },
      Product: { heavy: ({ weight }: { weight: number }) => weight > 2 },
    },
  };
  const stock: SubgraphDefinition = {
    sdl: 'type Query { empty: Boolean } type Product @key(fields: "id") { id: ID!  inStock: Boolean }',
    resolvers: { Product: { inStock: ({ id }: { id: string }) => id === 'p1' } },
  };

  it('runs them with their external keys, also next to one of federation 2', async () => {
    expect(
      await resultOf(
        { products, reviews, stock },
        '{ reviews { product { id: sku key: id sku heavy inStock name } } products { heavy inStock } }',
      ),
    ).toEqual({
      data: {
        reviews: [{ product: { id: 's1', key: 'p1', sku: 's1', heavy: true, inStock: true, name: 'Anvil' } }],
        products: [{ heavy: true, inStock: true }],
      },
      errors: [],
    });
  });
});

describe('The executor over a supergraph of 25 subgraphs and 250 types', () => {
  it('plans and runs an operation over all of it', async () => {
    const count = 25;
    const names = Array.from({ length: count }, (_, index) => `s${index}`);
    const types = (owner: string): string =>
      Array.from({ length: 10 }, (_, index) => `type T_${owner}_${index} { id: ID!  next: Node }`).join('\n');
    const subgraphs = Object.fromEntries(
      names.map((name): [string, SubgraphDefinition] => [
        name,
        {
          sdl: `
            type Query { root_${name}: Node }
            type Node @key(fields: "id") { id: ID!  of_${name}: T_${name}_0 }
            ${types(name)}
          `,
          resolvers: {
            Query: { [`root_${name}`]: () => ({ id: 'n' }) },
            Node: { [`of_${name}`]: () => ({ id: name, next: { id: 'n' } }) },
          },
        },
      ]),
    );
    const text = `{ root_s0 { ${names.map((name) => `of_${name} { id next { of_s1 { id } } }`).join(' ')} } }`;

    const { data, errors } = await resultOf(subgraphs, text);

    const next = { of_s1: { id: 's1' } };
    expect(errors).toEqual([]);
    expect(data).toEqual({
      root_s0: Object.fromEntries(names.map((name) => [`of_${name}`, { id: name, next }])),
    });
  });
});
