import type { SubgraphClient, SubgraphRequest, SubgraphResponse, SubgraphTarget } from '../../src/index.ts';
import { createHttpTransport } from '../../src/index.ts';

/** Sends one request to a target, with all that is around a call over HTTP. */
export function sendTo(
  client: SubgraphClient,
  target: SubgraphTarget,
  request: Omit<SubgraphRequest, 'subgraph' | 'run'>,
): Promise<SubgraphResponse> {
  const transport = createHttpTransport({ client, targets: new Map([['products', target]]) });
  const run = { variables: {}, signal: request.signal };
  return transport.send({ ...request, subgraph: 'products', run });
}
