/** A reason why requests fail while a subgraph and the supergraph are of different versions. */
export interface Obstacle {
  /** Of the element that only one version knows, or `fetch` for the whole of one. */
  readonly coordinate: string;
  /** A sentence without its full stop; equal for equal obstacles. */
  readonly message: string;
  /** - `input`: it fails only for clients that send something new. */
  readonly side: 'fetch' | 'output' | 'input';
}
