import type { SubgraphClient, SubgraphTarget } from './subgraph-client.ts';
import { SubgraphFailure } from './subgraph-failure.ts';
import type { SubgraphTransport } from './subgraph-transport.ts';

export interface HttpTransportOptions {
  readonly client: SubgraphClient;
  /** The subgraphs' targets, by name. */
  readonly targets: ReadonlyMap<string, SubgraphTarget>;
}

/** Sends requests to subgraphs over HTTP. */
export function createHttpTransport({ client, targets }: HttpTransportOptions): SubgraphTransport {
  return {
    send(request) {
      const target = targets.get(request.subgraph);
      if (target === undefined) {
        const message = `there is no URL for the subgraph ${request.subgraph}`;
        return Promise.reject(new SubgraphFailure('SUBREQUEST_HTTP_ERROR', message));
      }
      return client.send(target, request);
    },
  };
}
