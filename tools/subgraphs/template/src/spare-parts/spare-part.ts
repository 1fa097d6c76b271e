/** A spare part as the graph shows it. */
export interface SparePart {
  readonly id: string;
  readonly name: string;
  // <entity>
  /** Of another subgraph. */
  readonly productId: string;
  // </entity>
}
// <entity>

/** The first spare parts of a product, so many at most. */
export interface SparePartPage {
  readonly productId: string;
  readonly first: number;
}
// </entity>
