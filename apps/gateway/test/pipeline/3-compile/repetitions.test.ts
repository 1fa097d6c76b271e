import { beforeAll, describe, expect, it } from '@jest/globals';

import { useTestGateway } from '../../support/use-test-gateway.ts';

const draft = { Accept: 'application/graphql-response+json' };

const gateway = useTestGateway();

beforeAll(() => gateway.start());
describe('An operation that repeats itself', () => {
  it('costs one leaf for a leaf repeated a thousand times', async () => {
    const { body } = await gateway.post(
      { query: `query A { ${'time '.repeat(1000)} product(id: 1) { ${'id '.repeat(1000)} } }` },
      draft,
    );
    expect(body).toEqual({ data: { time: 'now', product: { id: '1' } } });
  });

  it('keeps repeated leaves with different aliases, arguments or directives apart', async () => {
    const { body } = await gateway.post(
      { query: 'query A { time @skip(if: true) time a: time a: time @include(if: false) }' },
      draft,
    );
    expect(body).toEqual({ data: { time: 'now', a: 'now' } });
  });

  it('merges up to 500 equal fields with selections', async () => {
    const { body } = await gateway.post(
      { query: `query A { ${'product(id: 1) { id } '.repeat(500)} product(id: 1) { name } }` },
      draft,
    );
    expect(body).toMatchObject({
      errors: [{ message: expect.stringContaining('more than 500 selections') }],
    });
    const { body: fewer } = await gateway.post(
      { query: `query A { ${'product(id: 1) { id } '.repeat(499)} product(id: 1) { name } }` },
      draft,
    );
    expect(fewer).toEqual({ data: { product: { id: '1', name: 'Product 1' } } });
  });
});
