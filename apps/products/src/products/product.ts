/** A product as the graph shows it. */
export interface Product {
  readonly id: string;
  readonly name: string;
  readonly priceMinorUnits: number;
  /** Of one, packed. */
  readonly weightGrams: number;
}

/** A product with what its place among the best-sellers depends on. */
export interface NewProduct extends Product {
  readonly unitsSold: number;
}
