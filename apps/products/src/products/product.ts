/** A product as the graph shows it. */
export interface Product {
  readonly id: string;
  readonly name: string;
  readonly priceMinorUnits: number;
  /** The weight of one, packed. */
  readonly weightGrams: number;
}

/** A product with the number that ranks it among the best-sellers. */
export interface NewProduct extends Product {
  readonly unitsSold: number;
}
