import { expect, it } from '@jest/globals';
import { processSuite } from '@meridian/subgraph/test-support';

processSuite('users', import.meta.url, (app) => {
  it('Its seed prints progress, and fills its database', async () => {
    expect(app().seedRuns).toContainEqual(['seed 240 480', 'seed 480 480']);
    expect(await app().ask('{ me { name } }')).toEqual({ data: { me: { name: 'Alice Adler' } } });
    expect(await app().ask('{ me { name } }', { tenant: 'globex', subject: 'bob' })).toEqual({
      data: { me: { name: 'Bob Adler' } },
    });
  });
});
