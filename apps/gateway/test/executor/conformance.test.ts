// The Executor interface as the pipeline relies on it, for each executor that `meridian.executor` offers. Other suites
// run the default one.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { StubSubgraph } from '../support/stub-subgraph.ts';
import { respondJson } from '../support/stub-subgraph.ts';
import type { ExecutorUnderTest } from './executor-under-test.ts';
import { startExecutor } from './executor-under-test.ts';

let executor: ExecutorUnderTest;

describe.each(['fast_path', 'slow_path', 'apollo'] as const)('The executor "%s"', (kind) => {
  beforeAll(async () => {
    executor = await startExecutor(kind);
  });
  afterEach(() => {
    executor.products.reset();
    executor.reviews.reset();
  });
  afterAll(() => executor.close());

  it.each(['query', 'mutation'])(
    'keeps data and errors of a GraphQL response with an error status, and adds one of its own: %s',
    async (operationKind) => {
      const field = operationKind === 'query' ? 'product(id: 1)' : 'rename(id: 1, name: "x")';
      const name = operationKind === 'query' ? 'product' : 'rename';
      executor.products.misbehave((response) => {
        const error = { message: 'no name', path: [name, 'name'], extensions: { code: 'BAD_USER_INPUT' } };
        response.writeHead(400, { 'Content-Type': 'application/graphql-response+json; charset=utf-8' });
        response.end(JSON.stringify({ data: { [name]: { id: '1', name: null } }, errors: [error] }));
      });

      const { data, errors } = await executor.run(`${operationKind} { ${field} { id name } }`);

      expect(data).toEqual({ [name]: null });
      expect(errors).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ kind: 'reported', path: [name, 'name'], message: 'no name' }),
          expect.objectContaining({ kind: 'subrequest', code: 'SUBREQUEST_HTTP_ERROR' }),
        ]),
      );
      expect(errors).toHaveLength(2);
      expect(executor.products.received).toHaveLength(1);
    },
  );

  it('keeps the data of a GraphQL response with an error status and no errors, and adds one', async () => {
    executor.products.misbehave((response) => respondJson(response, { data: { time: 'now' } }, 503));

    const { data, errors } = await executor.run('{ time }');

    expect(data).toEqual({ time: 'now' });
    expect(errors).toEqual([expect.objectContaining({ code: 'SUBREQUEST_HTTP_ERROR' })]);
  });

  it.each([
    ['of a proxy', 'application/json', '{"message":"denied"}'],
    ['that is empty', 'application/json', ''],
    ['that is not JSON', 'application/json', '<html>'],
    ['of another media type', 'text/plain', '{"errors":[{"message":"no"}]}'],
  ])('gives one error for each field after an error status with a body %s', async (_what, type, body) => {
    executor.products.misbehave((response) => {
      response.writeHead(502, { 'Content-Type': type });
      response.end(body);
    });

    const { data, errors } = await executor.run('{ time product(id: 1) { id } }');

    expect(data).toEqual({ time: null, product: null });
    expect(errors).toEqual([
      expect.objectContaining({ code: 'SUBREQUEST_HTTP_ERROR', path: ['time'] }),
      expect.objectContaining({ code: 'SUBREQUEST_HTTP_ERROR', path: ['product'] }),
    ]);
  });

  it('runs sibling fields concurrently (rule 1)', async () => {
    const bothCalled = Promise.withResolvers<void>();
    const called = new Set<string>();
    const respondWhenBothAreCalled = (subgraph: StubSubgraph, data: object): void =>
      subgraph.misbehave(async (response) => {
        called.add(subgraph.name);
        if (called.size === 2) {
          bothCalled.resolve();
        }
        await bothCalled.promise;
        respondJson(response, { data });
      });
    respondWhenBothAreCalled(executor.products, { time: 'now' });
    respondWhenBothAreCalled(executor.reviews, { review: { id: 'r1' } });

    expect(await executor.run('{ time review(id: 1) { id } }')).toMatchObject({
      data: { time: 'now', review: { id: 'r1' } },
      errors: [],
    });
  });

  it('runs root mutation fields strictly one after another, in document order (rule 2)', async () => {
    const events: string[] = [];
    const trace = (subgraph: StubSubgraph, data: (query: string) => object): void =>
      subgraph.misbehave((response, { body }) => {
        events.push(`${subgraph.name} asked`);
        setImmediate(() => {
          events.push(`${subgraph.name} answers`);
          respondJson(response, { data: data(body.query) });
        });
      });
    trace(executor.products, () => ({ rename: { id: '1' } }));
    trace(executor.reviews, (query) => ({ [query.includes('last') ? 'last' : 'first']: { id: 'r1' } }));

    const { data } = await executor.run(
      'mutation { first: publish(id: 1) { id } rename(id: 1, name: "x") { id } last: publish(id: 2) { id } }',
    );

    expect(Object.keys(data as object)).toEqual(['first', 'rename', 'last']);
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
    executor.products.misbehave((response) => respondJson(response, {}, 500));

    expect(
      await executor.run('mutation { publish(id: 1) { id } rename(id: 1, name: "x") { id } }'),
    ).toMatchObject({
      data: { publish: { id: 'r1' }, rename: null },
      errors: [{ path: ['rename'], kind: 'subrequest', code: 'SUBREQUEST_HTTP_ERROR', subgraph: 'products' }],
    });
  });

  it('answers null for a missing entity in a nullable position; only an explicit null is not an error (rule 10)', async () => {
    executor.reviews.misbehave((response) =>
      respondJson(response, { data: { _entities: [null, { reviews: null }] } }),
    );

    expect(await executor.run('{ topProducts(first: 2) { id reviews { id } } }')).toMatchObject({
      data: { topProducts: [null, null] },
      errors: [{ path: ['topProducts', 1, 'reviews'], code: 'SUBREQUEST_MALFORMED_RESPONSE' }],
    });
  });

  it('reports a missing entity in a non-null position, and its null propagates (rules 4 and 10)', async () => {
    executor.reviews.misbehave((response) => respondJson(response, { data: { _entities: [null] } }));

    expect(await executor.run('{ product(id: 1) { id parts { id reviews { id } } } }')).toMatchObject({
      data: { product: { id: '1', parts: null } },
      errors: [{ path: ['product', 'parts', 0], code: 'SUBREQUEST_MALFORMED_RESPONSE' }],
    });
  });

  it('reports an error of a subgraph with its subgraph, its path and its extensions', async () => {
    executor.products.misbehave((response) =>
      respondJson(response, {
        data: { time: null },
        errors: [{ message: 'no clock', path: ['time'], extensions: { code: 'NO_CLOCK' } }],
      }),
    );

    expect(await executor.run('{ time }')).toMatchObject({
      data: { time: null },
      errors: [
        {
          kind: 'reported',
          subgraph: 'products',
          path: ['time'],
          message: 'no clock',
          extensions: { code: 'NO_CLOCK' },
        },
      ],
    });
  });

  it('reports an error without a path at every position that it leaves empty', async () => {
    executor.reviews.misbehave((response) =>
      respondJson(response, { data: { _entities: [null, null] }, errors: [{ message: 'no' }] }),
    );

    const { errors } = await executor.run('{ topProducts(first: 2) { id rating } }');

    expect(errors.map(({ path }) => path)).toEqual([
      ['topProducts', 0, 'rating'],
      ['topProducts', 1, 'rating'],
    ]);
  });

  it('merges the fields of an entity from several subgraphs', async () => {
    expect(
      await executor.run(
        '{ topProducts(first: 1) { name rating reviews(first: 1) { body product { name } } } }',
      ),
    ).toMatchObject({
      data: {
        topProducts: [
          { name: 'Product 1', rating: 4.5, reviews: [{ body: 'Good', product: { name: 'Product 1' } }] },
        ],
      },
      errors: [],
    });
  });

  it("keeps a client's variable apart from the one of the same name in entity lookups", async () => {
    const query =
      'query ($representations: ID!) { product(id: $representations) { id rating reviews(first: 1) { body } } }';

    expect(await executor.run(query, { variables: { representations: '1' } })).toMatchObject({
      data: { product: { id: '1', rating: 4.5, reviews: [{ body: 'Good' }] } },
      errors: [],
    });
  });

  it('collects the Cache-Control fields of the subgraphs', async () => {
    executor.products.misbehave((response) => {
      response.setHeader('Cache-Control', 'max-age=7');
      respondJson(response, { data: { time: 'now' } });
    });

    expect(await executor.run('{ time }')).toMatchObject({ cacheControl: ['max-age=7'] });
  });

  it('plans ahead without a request to a subgraph', async () => {
    await executor.plan('{ time }');

    expect(executor.products.received).toEqual([]);
  });

  describe('while the products subgraph holds its responses', () => {
    const query = '{ time }';
    let release: () => Promise<void>;

    beforeEach(() => {
      const released = Promise.withResolvers<void>();
      executor.products.misbehave(async (response, { headers }) => {
        await released.promise;
        respondJson(response, {
          data: { time: `of ${headers.authorization ?? 'nobody'}`, rename: { id: '1' } },
        });
      });
      release = async () => {
        // Earlier runs are under way once these have called another subgraph.
        await executor.run('{ review(id: 1) { id } }');
        await executor.run('{ review(id: 2) { id } }');
        released.resolve();
      };
    });

    const asTenant = (tenant: string): Promise<unknown> =>
      executor.run(query, { headers: { authorization: `Bearer ${tenant}` } }).then(({ data }) => data);

    it('sends equal queries with equal header fields once', async () => {
      const runs = [1, 2, 3].map(() => asTenant('acme'));
      await release();

      expect(await Promise.all(runs)).toEqual(Array.from({ length: 3 }, () => ({ time: 'of Bearer acme' })));
      expect(executor.products.received).toHaveLength(1);
    });

    it('never shares a byte between two tenants', async () => {
      const tenants = ['acme', 'globex', 'acme', 'globex'];
      const runs = tenants.map(asTenant);
      await release();

      expect(await Promise.all(runs)).toEqual(tenants.map((tenant) => ({ time: `of Bearer ${tenant}` })));
      expect(executor.products.received).toHaveLength(2);
    });

    it('rejects an aborted run with the reason of its signal, and equal runs go on', async () => {
      const leaving = new AbortController();
      const first = executor.run(query, { signal: leaving.signal });
      const others = [executor.run(query), executor.run(query)];
      leaving.abort(new Error('gone'));

      await expect(first).rejects.toThrow('gone');
      await release();
      for (const { data, errors } of await Promise.all(others)) {
        expect({ data, errors }).toEqual({ data: { time: 'of nobody' }, errors: [] });
      }
    });

    it('does not deduplicate mutations', async () => {
      const mutation = 'mutation { rename(id: 1, name: "x") { id } }';
      const runs = [executor.run(mutation), executor.run(mutation)];
      await release();
      await Promise.all(runs);

      expect(executor.products.received).toHaveLength(2);
    });
  });
});
