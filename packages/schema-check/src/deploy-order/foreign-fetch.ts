import type { SubgraphInterface } from '@meridian/composition';
import type { FetchStep, Supergraph } from '@meridian/executor';

/** A fetch of a plan that another version of its subgraph gets. */
export interface ForeignFetch {
  readonly fetch: FetchStep;
  /** The supergraph that the plan was made for: it reads the response. */
  readonly supergraph: Supergraph;
  /** The version of the subgraph that answers. */
  readonly subgraph: SubgraphInterface;
}
