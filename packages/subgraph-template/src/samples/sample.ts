/** A sample as the graph shows it. */
export interface Sample {
  readonly id: string;
  readonly name: string;
  // <entity>
  /** Of another subgraph. */
  readonly productId: string;
  // </entity>
}
// <entity>

/** The first samples of a product, so many at most. */
export interface SamplePage {
  readonly productId: string;
  readonly first: number;
}
// </entity>
