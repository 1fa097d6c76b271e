import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestGateway } from '../../support/test-gateway.ts';
import { startTestGateway } from '../../support/test-gateway.ts';

const draft = { Accept: 'application/graphql-response+json' };

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

describe('an operation that repeats itself', () => {
  it('takes a leaf that is repeated a thousand times for the one that it is', async () => {
    const { body } = await gateway.post(
      { query: `query A { ${'time '.repeat(1000)} product(id: 1) { ${'id '.repeat(1000)} } }` },
      draft,
    );
    expect(body).toEqual({ data: { time: 'now', product: { id: '1' } } });
  });

  it('tells repeated leaves apart by their alias, arguments and directives', async () => {
    const { body } = await gateway.post(
      { query: 'query A { time @skip(if: true) time a: time a: time @include(if: false) }' },
      draft,
    );
    expect(body).toEqual({ data: { time: 'now', a: 'now' } });
  });

  it('says so where fields of the same names are too many to be compared', async () => {
    const { status, body } = await gateway.post(
      { query: `query A { ${'product(id: 1) { id } '.repeat(1000)} }` },
      draft,
    );
    expect([status, body.errors]).toMatchObject([
      400,
      [
        {
          message: 'The operation selects too many different fields under the same names to be validated',
          extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
        },
      ],
    ]);
  });
});
