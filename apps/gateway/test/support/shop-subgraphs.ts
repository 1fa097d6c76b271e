// Two subgraphs for tests: products, and their reviews. They have one of each thing that the gateway has a rule for.
import type { StubDefinition } from './stub-subgraph.ts';

const links = (...imports: readonly string[]): string => `
  extend schema
    @link(url: "https://specs.apollo.dev/federation/v2.14", import: [${imports.map((name) => `"${name}"`).join(', ')}])
    @link(url: "https://meridian.example/cacheControl/v1.0", import: ["@cacheControl"])
    @link(url: "https://meridian.example/pageSize/v1.0", import: ["@pageSize"])
    @composeDirective(name: "@cacheControl")
    @composeDirective(name: "@pageSize")

  directive @cacheControl(maxAge: Int, scope: CacheControlScope, inheritMaxAge: Boolean) on FIELD_DEFINITION | OBJECT | INTERFACE | UNION
  enum CacheControlScope { PUBLIC PRIVATE }
  directive @pageSize(max: Int!) on ARGUMENT_DEFINITION
`;

export const products: StubDefinition = {
  sdl: `
    ${links('@key', '@authenticated', '@requiresScopes', '@policy', '@cost', '@listSize', '@composeDirective')}

    type Query {
      product(id: ID!): Product @cacheControl(maxAge: 60)
      topProducts(first: Int! = 3 @pageSize(max: 100)): [Product]!
        @cacheControl(maxAge: 60)
        @listSize(slicingArguments: ["first"], requireOneSlicingArgument: false)
      search(filter: Filter): [Item!]! @cacheControl(maxAge: 60)
      me: Account @authenticated
      time: String
      found(by: Json): String
    }

    type Mutation {
      rename(id: ID!, name: String!): Product
      restock(id: ID!): Int @requiresScopes(scopes: [["stock:write"], ["admin"]])
    }

    scalar Json
    input Filter { text: String  page: Page }
    input Page { first: Int! }

    interface Item { id: ID!  name: String! }

    type Product implements Item @key(fields: "id") @cacheControl(maxAge: 60) {
      id: ID!
      name: String!
      price: Int @cacheControl(maxAge: 10)
      cost: Int! @requiresScopes(scopes: [["costs:read"]])
      margin: Int @policy(policies: [["finance"], ["audit", "emea"]])
      supplier: Supplier
      parts(first: Int @pageSize(max: 20)): [Product!] @listSize(assumedSize: 5, slicingArguments: ["first"], requireOneSlicingArgument: false)
      history: [String!]! @cost(weight: 3) @cacheControl(inheritMaxAge: true)
    }

    type Voucher implements Item { id: ID!  name: String!  code: String }

    type Supplier @authenticated { id: ID!  name: String! }

    type Account @cacheControl(maxAge: 30, scope: PRIVATE) { id: ID!  name: String! }
  `,
  resolvers: {
    Query: {
      product: (_root, { id }) => productNumber(String(id)),
      topProducts: (_root, { first }) =>
        Array.from({ length: Number(first) }, (_, index) => productNumber(String(index + 1))),
      search: () => [
        { __typename: 'Product', ...productNumber('1') },
        { __typename: 'Voucher', id: 'v1', name: 'Ten off', code: 'TEN' },
      ],
      me: () => ({ id: 'a1', name: 'Alice' }),
      time: () => 'now',
      found: () => 'here',
    },
    Mutation: {
      rename: (_root, { id, name }) => ({ ...productNumber(String(id)), name }),
      restock: () => 7,
    },
    Product: {
      __resolveReference: (reference: { id: string }) => productNumber(reference.id),
      supplier: () => ({ id: 's1', name: 'Acme' }),
      parts: () => [productNumber('9')],
      history: () => ['made', 'sold'],
    },
  },
};

export const reviews: StubDefinition = {
  sdl: `
    ${links('@key', '@listSize', '@composeDirective')}

    type Query { review(id: ID!): Review }
    type Mutation { publish(id: ID!): Review }

    type Product @key(fields: "id") {
      id: ID!
      reviews(first: Int! = 2 @pageSize(max: 100)): [Review!]!
        @cacheControl(maxAge: 30)
        @listSize(slicingArguments: ["first"], requireOneSlicingArgument: false)
      rating: Float @cacheControl(maxAge: 30)
    }

    type Review @key(fields: "id") @cacheControl(maxAge: 30) {
      id: ID!
      body: String!
      product: Product @cacheControl(maxAge: 30)
    }
  `,
  resolvers: {
    Query: { review: (_root, { id }) => reviewNumber(String(id)) },
    Mutation: { publish: (_root, { id }) => reviewNumber(String(id)) },
    Product: {
      __resolveReference: (reference: object) => reference,
      reviews: (_product, { first }) =>
        Array.from({ length: Number(first) }, (_, index) => reviewNumber(String(index + 1))),
      rating: () => 4.5,
    },
    Review: { product: () => ({ id: '1' }) },
  },
};

function productNumber(id: string): object | null {
  return /^\d+$/.test(id) ? { id, name: `Product ${id}`, price: 100, cost: 60, margin: 40 } : null;
}

function reviewNumber(id: string): object {
  return { id: `r${id}`, body: 'Good' };
}
