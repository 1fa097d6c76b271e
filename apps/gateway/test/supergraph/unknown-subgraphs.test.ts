import { expect, it } from '@jest/globals';

import { startTestGateway } from '../support/test-gateway.ts';

it('The gateway logs each subgraph that router.yaml names and the supergraph does not have, once', async () => {
  expect(
    await toldOf(`
traffic_shaping: { subgraphs: { review: { timeout: 800ms }, reviews: { timeout: 800ms } } }
headers: { subgraphs: { review: { request: { operations: [ { propagate: { named: x-one } } ] } } } }
override_subgraph_url: { product: "http://127.0.0.1:1" }
include_subgraph_errors: { subgraphs: { products: true, orders: true } }
limits: { subgraph: { subgraphs: { users: { http_max_response_size: 1MiB } } } }
`),
  ).toEqual([['orders', 'product', 'review', 'users']]);
});

it('The gateway logs no subgraph that is in the supergraph', async () => {
  expect(await toldOf('traffic_shaping: { subgraphs: { reviews: { timeout: 800ms } } }')).toEqual([]);
});

/** The log of a gateway's start with this router.yaml. */
async function toldOf(config: string): Promise<unknown[]> {
  const gateway = await startTestGateway({ config });
  await gateway.close();
  return gateway.log.flatMap(({ unknownSubgraphs }) =>
    unknownSubgraphs === undefined ? [] : [unknownSubgraphs],
  );
}
