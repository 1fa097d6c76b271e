import type { SubgraphSchema } from '@meridian/composition';

import { fixture } from './fixture.ts';

export interface IncompatibleChange {
  readonly change: string;
  readonly subgraphs: readonly SubgraphSchema[];
  readonly code: string;
  /** The text that the message must contain. */
  readonly what: string;
  /** Places, each as `subgraph:line`. */
  readonly where: readonly string[];
}

/** The changes that composition must refuse (Spec: Errors, rule 5). */
export const incompatibleChanges: readonly IncompatibleChange[] = [
  {
    change: 'a field is removed that another subgraph requires',
    subgraphs: [fixture('products', 'products-without-price'), fixture('reviews', 'reviews')],
    code: 'EXTERNAL_MISSING_ON_BASE',
    what: 'Product.priceMinorUnits',
    where: ['reviews:6'],
  },
  {
    change: 'two subgraphs own a field',
    subgraphs: [fixture('products', 'products'), fixture('reviews', 'reviews-owning-name')],
    code: 'INVALID_FIELD_SHARING',
    what: 'Product.name',
    where: ['products:9', 'reviews:6'],
  },
  {
    change: 'two subgraphs mean different things by a type',
    subgraphs: [fixture('products', 'products'), fixture('reviews', 'reviews-with-product-enum')],
    code: 'TYPE_KIND_MISMATCH',
    what: '"Product"',
    where: ['products:7', 'reviews:7'],
  },
  {
    change: 'a @shareable field has another type',
    subgraphs: [
      fixture('products', 'products-sharing-name'),
      fixture('reviews', 'reviews-sharing-numeric-name'),
    ],
    code: 'FIELD_TYPE_MISMATCH',
    what: 'Product.name',
    where: ['products:9', 'reviews:5'],
  },
  {
    change: 'two fields require each other',
    subgraphs: [requiring('a', 'one', 'other'), requiring('b', 'other', 'one')],
    code: 'REQUIRES_CYCLE',
    what: 'fields need each other by @requires',
    where: ['a:6', 'b:6'],
  },
];

/** A subgraph that resolves one field of a type, and requires another for it. */
function requiring(name: string, resolved: string, required: string): SubgraphSchema {
  const sdl = `extend schema
      @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@external", "@requires", "@shareable"])
    type Query { parcel: Parcel @shareable }
    type Parcel @key(fields: "id") {
      id: ID!
      ${resolved}: Int @requires(fields: "${required}")
      ${required}: Int @external
    }`;
  return { name, routingUrl: `http://127.0.0.1/${name}`, sdl };
}
