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
];
