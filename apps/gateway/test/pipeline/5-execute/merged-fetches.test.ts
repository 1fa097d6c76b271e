import { describe, expect, it } from '@jest/globals';

import { useTestGateway } from '../../support/use-test-gateway.ts';

const gateway = useTestGateway();
const query = 'query Ratings { product(id: 1) { rating } topProducts(first: 2) { rating } }';
const data = { product: { rating: 4.5 }, topProducts: [{ rating: 4.5 }, { rating: 4.5 }] };

describe('meridian.merge_fetches', () => {
  it.each([
    ['sends a request for each fetch by default', 'meridian: {}', 2],
    ['sends one for a round', 'meridian: { merge_fetches: { all: true } }', 1],
    ['counts for one subgraph', 'meridian: { merge_fetches: { subgraphs: { reviews: true } } }', 1],
    ['spares one', 'meridian: { merge_fetches: { all: true, subgraphs: { reviews: false } } }', 2],
  ])('%s', async (_, config, requests) => {
    await gateway.start({ config });

    expect((await gateway.post({ query })).body).toEqual({ data });
    expect(gateway.reviews.received).toHaveLength(requests);
  });
});
