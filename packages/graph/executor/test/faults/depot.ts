// A catalog that always works and a depot that does not: of the depot come a root field, a field of an entity and a
// mutation, all of the type `Level`.
import type { SubgraphDefinition } from '../support/stub-subgraph.ts';

const products = [{ id: 'p1' }, { id: 'p2' }];

export const soundLevel = {
  name: 'full',
  code: 'c1',
  size: 3,
  open: true,
  kind: 'DRY',
  ratio: 0.5,
  tags: ['cold'],
  anything: { a: [1] },
};

export const depot = {
  catalog: {
    sdl: `
      type Query { ping: String!  products: [Product!]!  fronts: [Product]!  shelf: Shelf }
      type Mutation { place(id: ID!): Shelf }
      type Product @key(fields: "id") { id: ID! }
      type Shelf { label: String!  front: Product  back: Product! }
    `,
    resolvers: {
      Query: { ping: () => 'pong', products: () => products, fronts: () => products, shelf },
      Mutation: { place: shelf },
    },
  },
  depot: {
    sdl: `
      scalar Anything
      type Query { level: Level }
      type Mutation { restock(id: ID!): Level }
      type Product @key(fields: "id") { id: ID!  level: Level  place: String! }
      enum Kind { DRY WET }
      type Level {
        name: String  code: String!  size: Int  open: Boolean  kind: Kind  ratio: Float  tags: [String!]  anything: Anything
      }
    `,
    resolvers: {
      Query: { level: () => soundLevel },
      Mutation: { restock: () => soundLevel },
      Product: { level: () => soundLevel, place: ({ id }: { id: string }) => `place of ${id}` },
    },
  },
} satisfies Record<string, SubgraphDefinition>;

function shelf(): object {
  return { label: 'A', front: products[0], back: products[1] };
}
