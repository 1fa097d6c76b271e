import { expect, it } from '@jest/globals';
import { processSuite } from '@meridian/subgraph/test-support';

processSuite('products', import.meta.url, (app) => {
  it('Its seed prints progress, and fills its database', async () => {
    expect(app().seedRuns).toContainEqual(['seed 200 400', 'seed 400 400']);
    const { data } = await app().ask('{ topProducts(first: 100) { id } }');
    expect(new Set(data?.['topProducts'] as unknown[])).toHaveProperty('size', 100);
  });
});
