import type { SubgraphResponse } from '@meridian/executor';

/** A response of a subgraph, and the request that it answers, both as JSON. */
export interface ReceivedFetch {
  readonly request: string;
  readonly response: SubgraphResponse['text'];
}
