import { createHttp1Client } from './http1/http1-client.ts';
import type { SubgraphClient } from './subgraph-client.ts';
import { createUndiciClient } from './undici-client.ts';

export interface SubgraphClientOptions {
  /** To one subgraph; 256 unless told. A request that finds all of them busy waits. */
  readonly connectionsPerSubgraph?: number;
  /**
   * How many queries may be on one connection at once, sent before those ahead of them are answered; 1 unless told. More saves
   * work where many are in flight, and has each of them wait for the slowest ahead of it. Undici is not told to.
   */
  readonly pipelining?: number;
  /** `own` is this package's, over sockets, and the default; `undici` is there for whoever has to rule the other one out. */
  readonly implementation?: 'own' | 'undici';
}

export function createSubgraphClient({
  connectionsPerSubgraph = 256,
  pipelining = 1,
  implementation = 'own',
}: SubgraphClientOptions = {}): SubgraphClient {
  return implementation === 'own'
    ? createHttp1Client({ connectionsPerSubgraph, pipelining })
    : createUndiciClient({ connectionsPerSubgraph });
}
