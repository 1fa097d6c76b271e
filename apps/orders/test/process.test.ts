import { expect, it } from '@jest/globals';
import { processSuite } from '@meridian/subgraph/test-support';

processSuite('orders', import.meta.url, (app) => {
  it('Its seed prints progress, and fills its database', async () => {
    expect(app().seedRuns[0]).toEqual(['seed 60 320', 'seed 160 320', 'seed 220 320', 'seed 320 320']);
    const { data } = await app().ask('{ orders(first: 100) { status lineItems { quantity } } }');
    expect(data?.['orders']).toHaveLength(100);
  });
});
