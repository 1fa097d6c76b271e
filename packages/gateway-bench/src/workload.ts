// The federation that is measured, and what is asked of it: four subgraphs, entities that lead from each to each.
import { composeSupergraph } from '@meridian/composition';

export const subgraphNames = ['inventory', 'products', 'reviews', 'users'] as const;
export type SubgraphName = (typeof subgraphNames)[number];

const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@external", "@requires"])`;

export const schemas: Readonly<Record<SubgraphName, string>> = {
  products: `${link}
    type Query { topProducts(first: Int!, offset: Int! = 0): [Product!]! }
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
    type Product @key(fields: "id") { id: ID! reviews(first: Int!): [Review!]! }
    type User @key(fields: "id") { id: ID! reviews(first: Int!): [Review!]! }
    type Review @key(fields: "id") { id: ID! body: String! rating: Int! author: User! product: Product! }`,
  users: `${link}
    type Query { me: User! }
    type User @key(fields: "id") { id: ID! name: String! email: String! }`,
};

export interface Workload {
  readonly name: string;
  readonly query: string;
  readonly operationName: string;
  /** The variables of the n-th request. */
  readonly variables: (n: number) => Readonly<Record<string, unknown>>;
}

const deep = `query Deep($offset: Int!) {
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

/** How many different requests a varied workload makes. */
export const variants = 40;

export const workloads: readonly Workload[] = [
  { name: 'deep, identical', query: deep, operationName: 'Deep', variables: () => ({ offset: 0 }) },
  { name: 'deep, varied', query: deep, operationName: 'Deep', variables: (n) => ({ offset: n % variants }) },
  { name: 'small, identical', query: small, operationName: 'Small', variables: () => ({ offset: 0 }) },
  {
    name: 'small, varied',
    query: small,
    operationName: 'Small',
    variables: (n) => ({ offset: n % variants }),
  },
];

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
