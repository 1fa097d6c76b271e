import { expect, it } from '@jest/globals';
import { processSuite } from '@meridian/subgraph/test-support';

processSuite('template', import.meta.url, (app) => {
  it('Its seed prints progress, and fills its database', async () => {
    expect(app().seedRuns).toContainEqual(['seed 200 400', 'seed 400 400']);
    expect(await app().ask('{ spareParts(first: 1) { name } }')).toEqual({
      data: { spareParts: [{ name: 'Spare part 1' }] },
    });
  });
});
