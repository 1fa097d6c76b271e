import { composeInterceptors } from '../interceptors/compose-interceptors.ts';
import type { RunParameters } from '../run/run-parameters.ts';
import type { SubgraphClient, SubgraphTarget } from './subgraph-client.ts';
import { SubgraphFailure } from './subgraph-failure.ts';
import type { SubgraphInterceptor, SubgraphTransport } from './subgraph-transport.ts';

export interface HttpTransportOptions<Run = RunParameters> {
  readonly client: SubgraphClient;
  /** The subgraphs' targets, by name. */
  readonly targets: ReadonlyMap<string, SubgraphTarget>;
  /** Put around the calls to a subgraph, the first one outermost. Default: none. */
  readonly interceptorsOf?: (subgraph: string) => readonly (SubgraphInterceptor<Run> | undefined)[];
  /** Opens streams. Default: there are none. */
  readonly subscribe?: SubgraphTransport<Run>['subscribe'];
}

/** Sends requests to subgraphs over HTTP. */
export function createHttpTransport<Run = RunParameters>({
  client,
  targets,
  interceptorsOf = () => [],
  subscribe,
}: HttpTransportOptions<Run>): SubgraphTransport<Run> {
  const calls = new Map(
    Array.from(targets, ([subgraph, target]) => [
      subgraph,
      composeInterceptors(interceptorsOf(subgraph), client.exchangeWith(target)),
    ]),
  );
  return {
    send(request) {
      const call = calls.get(request.subgraph);
      if (call === undefined) {
        const message = `there is no URL for the subgraph ${request.subgraph}`;
        return Promise.reject(new SubgraphFailure('SUBREQUEST_HTTP_ERROR', message));
      }
      return call(request);
    },
    ...(subscribe && { subscribe }),
  };
}
