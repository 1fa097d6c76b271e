import { shippingMinorUnits } from '../shipping/shipping-rate.ts';

/** What is known here of a product: the key, and what the products subgraph was asked for before. */
export interface ProductRepresentation {
  readonly id: string;
  /** Not checked: it is what the representation says. */
  readonly weightGrams?: unknown;
}

export const Product = {
  // Whether the product exists is for the products subgraph to say.
  __resolveReference: (product: ProductRepresentation): ProductRepresentation => product,

  shippingEstimateMinorUnits: ({ weightGrams }: ProductRepresentation) =>
    typeof weightGrams === 'number' ? shippingMinorUnits(weightGrams) : null,
};
