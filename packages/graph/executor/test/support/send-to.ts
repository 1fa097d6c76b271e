import type { SubgraphClient, SubgraphRequest, SubgraphResponse, SubgraphTarget } from '../../src/index.ts';
import { createHttpTransport } from '../../src/index.ts';

export type SentRequest = Partial<Omit<SubgraphRequest, 'subgraph' | 'run'>>;

/** Sends one request to a target, with all that is around a call over HTTP. */
export function sendTo(
  client: SubgraphClient,
  target: Partial<SubgraphTarget> & Pick<SubgraphTarget, 'url'>,
  request: SentRequest = {},
): Promise<SubgraphResponse> {
  const limited = { timeoutMs: 10_000, maxResponseBytes: 1000, ...target };
  const transport = createHttpTransport({ client, targets: new Map([['products', limited]]) });
  const { signal = new AbortController().signal } = request;
  return transport.send({
    subgraph: 'products',
    operationKind: 'query',
    body: '{}',
    headers: {},
    run: { variables: {}, signal },
    ...request,
    signal,
  });
}
