import { shippingMinorUnits } from '../shipping/shipping-rate.ts';

/** The known fields of a product: the key, and the fields fetched from the products subgraph. */
export interface ProductRepresentation {
  readonly id: string;
  /** Taken from the representation, unchecked. */
  readonly weightGrams?: unknown;
}

export const Product = {
  // Only the products subgraph knows whether the product exists.
  __resolveReference: (product: ProductRepresentation): ProductRepresentation => product,

  shippingEstimateMinorUnits: ({ weightGrams }: ProductRepresentation) =>
    typeof weightGrams === 'number' ? shippingMinorUnits(weightGrams) : null,
};
