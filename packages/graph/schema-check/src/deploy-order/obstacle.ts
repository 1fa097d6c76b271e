import type { SubgraphInterface } from '@meridian/composition';
import type { FetchStep, Supergraph } from '@meridian/executor';

/** A reason why requests fail while a subgraph and the supergraph are of different versions. */
export interface Obstacle {
  /** Of the element that only one version knows, or `fetch` for the whole of one. */
  readonly coordinate: string;
  /** A sentence without its full stop; equal for equal obstacles. */
  readonly message: string;
  /** - `input`: it fails only for clients that send something new. */
  readonly side: 'fetch' | 'output' | 'input';
}

/** A fetch of a plan that another version of its subgraph gets. */
export interface ForeignFetch {
  readonly fetch: FetchStep;
  /** The supergraph that the plan was made for: it reads the response. */
  readonly supergraph: Supergraph;
  /** The version of the subgraph that answers. */
  readonly subgraph: SubgraphInterface;
}
