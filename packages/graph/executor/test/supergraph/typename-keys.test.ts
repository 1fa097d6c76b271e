// Entities whose key is their type: there is one of each, as of a shop or its settings.
import { describe, expect, it } from '@jest/globals';

import type { ExecutorOptions } from '../../src/index.ts';
import { createExecutor } from '../../src/index.ts';
import { createReferenceExecutor } from '../support/reference/reference-executor.ts';
import type { SubgraphDefinition } from '../support/stub-subgraph.ts';
import { useFederation } from '../support/federation.ts';

const stock: SubgraphDefinition = {
  sdl: `
    type Query { shop: Shop  branches: [Branch!]!  things: [Thing] }
    type Mutation { open: Shop }
    type Shop @key(fields: "__typename") { name: String! }
    type Branch { shop: Shop! }
    union Thing = Shop | Branch | Item
    type Item @key(fields: "__typename id") { id: ID! }
  `,
  resolvers: {
    Query: {
      shop: () => ({ name: 'Ada' }),
      branches: () => [{}, {}],
      things: () => [
        { __typename: 'Branch' },
        { __typename: 'Shop' },
        { __typename: 'Item', id: 'i1' },
        null,
        { __typename: 'Shop' },
      ],
    },
    Mutation: { open: () => ({ name: 'Ada' }) },
    Branch: { shop: () => ({ name: 'Ada' }) },
  },
};
const hours: SubgraphDefinition = {
  sdl: `
    type Shop @key(fields: "__typename") {
      name: String! @external
      open: Boolean!
      since: String
      greeting: String @requires(fields: "name")
    }
    type Item @key(fields: "__typename id") { id: ID!  price: Int! }
  `,
  resolvers: {
    Shop: {
      open: () => true,
      since: () => '9',
      greeting: ({ name }: { name: string }) => `Hello from ${name}`,
    },
    Item: { price: ({ id }: { id: string }) => id.length },
  },
};

const slowExecutor = (options: ExecutorOptions) =>
  createExecutor({ ...options, watch: { mayUseFastPath: () => false, onSlowPath: () => {} } });

describe.each([
  ['the fast path', createExecutor],
  ['the slow path', slowExecutor],
  ['the reference', createReferenceExecutor],
])('An entity whose key is __typename alone is fetched on %s', (_name, create) => {
  const federation = useFederation({ stock, hours }, { create });

  it.each([
    ['{ shop { since } }', { shop: { since: '9' } }],
    ['{ shop { name open since } }', { shop: { name: 'Ada', open: true, since: '9' } }],
    ['{ shop { greeting since } }', { shop: { greeting: 'Hello from Ada', since: '9' } }],
    ['{ branches { shop { open } } }', { branches: [{ shop: { open: true } }, { shop: { open: true } }] }],
    ['mutation { open { since } }', { open: { since: '9' } }],
    [
      '{ things { ... on Shop { since } ... on Item { price } ... on Branch { shop { open } } } }',
      { things: [{ shop: { open: true } }, { since: '9' }, { price: 2 }, null, { since: '9' }] },
    ],
  ])('%s', async (operation, data) => {
    expect(await federation.dataOf(operation)).toEqual(data);
  });

  it('once for all of its places', async () => {
    federation.subgraphs.hours.reset();
    await federation.run('{ branches { shop { open } } }');
    expect(federation.subgraphs.hours.received.map(({ body }) => body.variables?.representations)).toEqual([
      [{ __typename: 'Shop' }],
    ]);
  });
});
