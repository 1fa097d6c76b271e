import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import type { StubSubgraph } from '../support/stub-subgraph.ts';
import { answerJson } from '../support/stub-subgraph.ts';
import type { TestGateway } from '../support/test-gateway.ts';
import { startTestGateway } from '../support/test-gateway.ts';

let gateway: TestGateway;

describe.each(['compiled', 'reference', 'apollo'])('Execution', (executor) => {
  beforeAll(async () => {
    gateway = await startTestGateway({ config: `meridian: { executor: ${executor} }` });
  });
  afterEach(() => {
    gateway.products.reset();
    gateway.reviews.reset();
  });
  afterAll(() => gateway.close());

  it('runs sibling fields concurrently (rule 1)', async () => {
    const bothAsked = Promise.withResolvers<void>();
    const asked = new Set<string>();
    const answerWhenBothAreAsked = ({ name, misbehave }: StubSubgraph, data: object): void =>
      misbehave(async (response) => {
        asked.add(name);
        if (asked.size === 2) {
          bothAsked.resolve();
        }
        await bothAsked.promise;
        answerJson(response, { data });
      });
    answerWhenBothAreAsked(gateway.products, { time: 'now' });
    answerWhenBothAreAsked(gateway.reviews, { review: { id: 'r1' } });
    const { body } = await gateway.post({ query: 'query A { time review(id: 1) { id } }' });
    expect(body).toEqual({ data: { time: 'now', review: { id: 'r1' } } });
  });

  it('runs root mutation fields strictly one after another, in document order (rule 2)', async () => {
    const events: string[] = [];
    const trace = ({ name, misbehave }: StubSubgraph, data: (query: string) => object): void =>
      misbehave((response, { body }) => {
        events.push(`${name} asked`);
        setImmediate(() => {
          events.push(`${name} answers`);
          answerJson(response, { data: data(body.query) });
        });
      });
    trace(gateway.products, () => ({ rename: { id: '1' } }));
    trace(gateway.reviews, (query) => ({ [query.includes('last') ? 'last' : 'first']: { id: 'r1' } }));
    const query =
      'mutation A { first: publish(id: 1) { id } rename(id: 1, name: "x") { id } last: publish(id: 2) { id } }';
    const { body } = await gateway.post({ query });
    expect(Object.keys(body.data ?? {})).toEqual(['first', 'rename', 'last']);
    expect(events).toEqual([
      'reviews asked',
      'reviews answers',
      'products asked',
      'products answers',
      'reviews asked',
      'reviews answers',
    ]);
  });

  it('keeps the first write when the second one fails (rule 6)', async () => {
    gateway.products.misbehave((response) => answerJson(response, {}, 500));
    const { body } = await gateway.post({
      query: 'mutation A { publish(id: 1) { id } rename(id: 1, name: "x") { id } }',
    });
    expect(body.data).toEqual({ publish: { id: 'r1' }, rename: null });
    expect(body.errors).toMatchObject([{ path: ['rename'], extensions: { code: 'SUBREQUEST_HTTP_ERROR' } }]);
  });

  it('answers null for a missing entity in a nullable position; only an explicit null is not an error (rule 10)', async () => {
    gateway.reviews.misbehave((response) =>
      answerJson(response, { data: { _entities: [null, { reviews: null }] } }),
    );
    const { body } = await gateway.post({ query: 'query A { topProducts(first: 2) { id reviews { id } } }' });
    expect(body.data).toEqual({ topProducts: [null, null] });
    expect(body.errors).toMatchObject([
      { path: ['topProducts', 1, 'reviews'], extensions: { code: 'SUBREQUEST_MALFORMED_RESPONSE' } },
    ]);
  });

  it('reports a missing entity in a non-null position, and its null propagates (rules 4 and 10)', async () => {
    gateway.reviews.misbehave((response) => answerJson(response, { data: { _entities: [null] } }));
    const query = 'query A { product(id: 1) { id parts { id reviews { id } } } }';
    const { body } = await gateway.post({ query });
    expect(body.data).toEqual({ product: { id: '1', parts: null } });
    expect(body.errors).toMatchObject([
      { path: ['product', 'parts', 0], extensions: { code: 'SUBREQUEST_MALFORMED_RESPONSE' } },
    ]);
  });

  it('reports an error without a path at every position that it leaves empty', async () => {
    gateway.reviews.misbehave((response) =>
      answerJson(response, { data: { _entities: [null, null] }, errors: [{ message: 'no' }] }),
    );
    const { body } = await gateway.post({ query: 'query A { topProducts(first: 2) { id rating } }' });
    expect(body.errors?.map(({ path }) => path)).toEqual([
      ['topProducts', 0, 'rating'],
      ['topProducts', 1, 'rating'],
    ]);
  });

  it('merges the fields of an entity from several subgraphs', async () => {
    const { body } = await gateway.post({
      query: 'query A { topProducts(first: 1) { name rating reviews(first: 1) { body product { name } } } }',
    });
    expect(body).toEqual({
      data: {
        topProducts: [
          { name: 'Product 1', rating: 4.5, reviews: [{ body: 'Good', product: { name: 'Product 1' } }] },
        ],
      },
    });
  });

  it("keeps a client's variable apart from the one of the same name in entity lookups", async () => {
    const query =
      'query A($representations: ID!) { product(id: $representations) { id rating reviews(first: 1) { body } } }';
    expect((await gateway.post({ query, variables: { representations: '1' } })).body).toEqual({
      data: { product: { id: '1', rating: 4.5, reviews: [{ body: 'Good' }] } },
    });
  });

  it('applies the default values of variables', async () => {
    const query =
      'query A($first: Int! = 1, $more: Boolean! = false) { topProducts(first: $first) { id name @include(if: $more) } }';
    expect((await gateway.post({ query })).body).toEqual({ data: { topProducts: [{ id: '1' }] } });
  });
});
