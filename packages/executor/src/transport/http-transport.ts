import type { SubgraphClient, SubgraphTarget } from './subgraph-client.ts';
import { SubgraphFailure } from './subgraph-failure.ts';
import type { SubgraphTransport } from './subgraph-transport.ts';

export interface HttpTransportOptions {
  readonly client: SubgraphClient;
  /** Where the subgraphs are, by name. */
  readonly targets: ReadonlyMap<string, SubgraphTarget>;
}

/** Brings requests to subgraphs over HTTP. */
export function createHttpTransport({ client, targets }: HttpTransportOptions): SubgraphTransport {
  return {
    async send({ subgraph, ...request }) {
      const target = targets.get(subgraph);
      if (target === undefined) {
        throw new SubgraphFailure('SUBREQUEST_HTTP_ERROR', `there is no URL for the subgraph ${subgraph}`);
      }
      return await client.send(target, request);
    },
  };
}
