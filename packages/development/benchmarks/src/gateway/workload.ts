// The federation that is measured, and its workloads: four subgraphs, entities that lead from each to each.
import { composeSupergraph } from '@meridian/composition';

export const subgraphNames = ['inventory', 'products', 'reviews', 'users'] as const;
export type SubgraphName = (typeof subgraphNames)[number];

const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@external", "@requires"])`;

export const schemas: Readonly<Record<SubgraphName, string>> = {
  products: `${link}
    type Query {
      topProducts(first: Int!, offset: Int! = 0): [Product!]!
      bestSellers(first: Int!, offset: Int! = 0): [Product!]!
    }
    type Product @key(fields: "id") { id: ID! name: String! description: String! price: Int! weight: Int! }`,
  inventory: `${link}
    type Product @key(fields: "id") {
      id: ID!
      price: Int! @external
      weight: Int! @external
      isInStock: Boolean!
      shippingEstimate: Int! @requires(fields: "price weight")
    }`,
  reviews: `${link}
    type Product @key(fields: "id") { id: ID! reviews(first: Int): [Review!]! }
    type User @key(fields: "id") { id: ID! reviews(first: Int): [Review!]! }
    type Review @key(fields: "id") { id: ID! body: String! rating: Int! author: User! product: Product! }`,
  users: `${link}
    type Query { me: User!, users(offset: Int! = 0): [User!]! }
    type User @key(fields: "id") { id: ID! name: String! email: String! }`,
};

export interface Workload {
  readonly name: string;
  readonly query: string;
  readonly operationName: string;
  /** The variables of the n-th request. */
  readonly variables: (n: number) => { readonly offset?: number };
}

// The operation that federation gateways are commonly measured with: four subgraphs, six users, nine products and
// eleven reviews that lead to each other, so that the answer says the same few things again and again.
const deep = `query Deep($offset: Int!) {
  users(offset: $offset) { ...Person
    reviews { ...Words product { ...Item reviews { ...Words author { ...Person reviews { ...Words product { ...Item } } } } } }
  }
  bestSellers(first: 5, offset: $offset) { ...Item
    reviews { ...Words author { ...Person reviews { ...Words product { ...Item } } } }
  }
}
fragment Person on User { id name email }
fragment Item on Product { id name price weight isInStock shippingEstimate }
fragment Words on Review { id body }`;

// As deep and as large, over entities of which few are met twice.
const spread = `query Spread($offset: Int!) {
  topProducts(first: 5, offset: $offset) {
    ...Item
    reviews(first: 4) { ...Words
      author { id name email
        reviews(first: 3) { ...Words product { ...Item reviews(first: 2) { ...Words author { id name email reviews(first: 1) { ...Words product { ...Item } } } } } }
      }
    }
  }
  me { id name reviews(first: 2) { ...Words product { ...Item } } }
}
fragment Item on Product { id name description price weight isInStock shippingEstimate }
fragment Words on Review { id body rating }`;

const small = `query Small($offset: Int!) {
  topProducts(first: 8, offset: $offset) { id name price reviews(first: 3) { id body author { id name } } }
}`;

const field = `query Field { me { name } }`;

/** The number of different requests of a varied workload. */
export const variants = 40;

/** The operations, by name. */
const operations = { Deep: deep, Spread: spread, Small: small };

export const operationNames = [...Object.keys(operations), 'Field'];

export const workloads: readonly Workload[] = [
  ...Object.entries(operations).flatMap(([operationName, query]): readonly Workload[] => {
    const name = operationName.toLowerCase();
    return [
      { name: `${name}, identical`, query, operationName, variables: () => ({ offset: 0 }) },
      { name: `${name}, varied`, query, operationName, variables: (n) => ({ offset: n % variants }) },
    ];
  }),
  { name: 'one field', query: field, operationName: 'Field', variables: () => ({}) },
];

/** The bodies of a workload's requests, with the text of its operation. */
export function bodiesOf({ query, operationName, variables }: Workload): readonly string[] {
  return Array.from({ length: variants }, (_, n) =>
    JSON.stringify({ query, operationName, variables: variables(n) }),
  );
}

/** Composes the subgraphs, for these URLs. */
export function composeWorkload(urls: Readonly<Record<SubgraphName, string>>): string {
  const { supergraphSdl, errors } = composeSupergraph(
    subgraphNames.map((name) => ({ name, routingUrl: urls[name], sdl: schemas[name] })),
  );
  if (errors !== undefined) {
    throw new Error(`The workload does not compose: ${errors[0]?.message ?? ''}`);
  }
  return supergraphSdl;
}
