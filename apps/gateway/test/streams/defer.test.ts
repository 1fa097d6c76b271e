// `@defer` from a client to the subgraphs and back.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ApolloClient, HttpLink, InMemoryCache, gql } from '@apollo/client/core';
import { Defer20220824Handler, GraphQL17Alpha9Handler } from '@apollo/client/incremental';
import { createTestIdentity, eventually } from '@meridian/testing';
import type { Observable } from 'rxjs';
import { filter, firstValueFrom } from 'rxjs';

import { samplesOf } from '../support/samples.ts';
import { respondJson } from '../support/stub-subgraph.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';
import { useInSuite } from '../support/use-in-suite.ts';
import { persisted } from '../support/test-gateway.ts';
import { requestParts } from './read-parts.ts';

const old = { Accept: 'multipart/mixed;deferSpec=20220824, application/json' };
const current = { Accept: 'multipart/mixed;incrementalSpec=v0.2, application/json' };
const query = `
  query Shop {
    topProducts(first: 2) {
      id
      ... @defer(label: "rating") { rating }
    }
  }
`;
const products = { topProducts: [{ id: '1' }, { id: '2' }] };

const gateway = useTestGateway();

async function collect(parts: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const part of parts) {
    all.push(part);
  }
  return all;
}

/** Holds the responses of a subgraph back until they are let go. */
function hold(subgraph: typeof gateway.reviews): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  subgraph.misbehave(async (response) => {
    await promise;
    respondJson(response, { data: { _entities: [{ rating: 4.5 }, { rating: 4.5 }] } });
  });
  return resolve;
}

describe('A query with @defer', () => {
  beforeAll(() => gateway.start());

  it.each(['fast', 'node'] as const)(
    'gets its parts as they come, in the format of deferSpec=20220824: %s path',
    async (path) => {
      const letGo = hold(gateway.reviews);
      const { status, headers, parts } = await requestParts(gateway.url, { query }, { headers: old, path });
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'content-type': 'multipart/mixed;boundary="graphql";deferSpec=20220824',
        'cache-control': 'no-store',
        'transfer-encoding': 'chunked',
      });
      const iterator = parts[Symbol.asyncIterator]();
      expect(await iterator.next()).toEqual({ done: false, value: { data: products, hasNext: true } });
      letGo();
      const rest = await collect({ [Symbol.asyncIterator]: () => iterator });
      expect(rest.flatMap((part) => (part as { incremental?: unknown[] }).incremental ?? [])).toEqual(
        [0, 1].map((index) => ({ label: 'rating', path: ['topProducts', index], data: { rating: 4.5 } })),
      );
      expect(rest.at(-1)).toMatchObject({ hasNext: false });
    },
  );

  it('gets them in the format of incrementalSpec=v0.2', async () => {
    const { parts } = await requestParts(gateway.url, { query }, { headers: current });
    const [first, ...rest] = await collect(parts);
    expect(first).toEqual({
      data: products,
      pending: [
        { id: '0', label: 'rating', path: ['topProducts', 0] },
        { id: '1', label: 'rating', path: ['topProducts', 1] },
      ],
      hasNext: true,
    });
    expect(JSON.stringify(rest)).toContain('"completed":[{"id":"0"}');
  });

  it.each(['gzip', 'br'])('gets them compressed: %s', async (coding) => {
    const response = await gateway.send({ query }, { ...old, 'Accept-Encoding': coding });
    expect(response.headers.get('Content-Encoding')).toBe(coding);
    expect(await response.text()).toMatch(/"rating":4.5.*--graphql--\r\n$/s);
  });

  it('gets one JSON where the parent of the fragment is null', async () => {
    const { body, headers } = await gateway.post(
      { query: 'query A { product(id: "none") { id ... @defer { rating } } }' },
      old,
    );
    expect(headers.get('Content-Type')).toBe('application/json');
    expect(body).toEqual({ data: { product: null } });
  });

  it('gets masked errors in the part in which they happen', async () => {
    gateway.reviews.misbehave((response) =>
      respondJson(response, {
        data: { _entities: [{ rating: 4.5 }, { rating: null }] },
        errors: [{ message: 'secret', path: ['_entities', 1, 'rating'] }],
      }),
    );
    const { parts } = await requestParts(gateway.url, { query }, { headers: old });
    const text = JSON.stringify(await collect(parts));
    expect(text).toContain('The subgraph reported an error');
    expect(text).toContain('"path":["topProducts",1,"rating"]');
    expect(text).not.toContain('secret');
    await gateway.logged({
      operation: 'Shop',
      outcome: 'partial',
      errorCodes: ['INTERNAL_SERVER_ERROR'],
      parts: expect.any(Number),
      firstPartMs: expect.any(Number),
    });
  });

  it('keeps what was delivered where a field of a part is unauthorized: the data of the part is null', async () => {
    const text = 'query Cost { product(id: 1) { id } ... @defer { product(id: 1) { cost } } }';
    const { parts } = await requestParts(gateway.url, { query: text }, { headers: old });
    expect(await collect(parts)).toEqual([
      { data: { product: { id: '1' } }, hasNext: true },
      {
        hasNext: false,
        incremental: [
          {
            path: [],
            data: null,
            errors: [expect.objectContaining({ path: ['product', 'cost'] })],
          },
        ],
      },
    ]);
  });

  it('cancels what is under way when its client leaves', async () => {
    let hasLeft = false;
    gateway.reviews.misbehave((response) => void response.on('close', () => (hasLeft = true)));
    const { parts, leave } = await requestParts(gateway.url, { query }, { headers: old });
    await parts[Symbol.asyncIterator]().next();
    leave();
    await eventually(() => expect(hasLeft).toBe(true));
    await gateway.logged({ operation: 'Shop', status: 499 });
  });

  it('costs what it costs without @defer, once all parts are out', async () => {
    const whole = query.replace('query Shop', 'query Whole').replace('@defer(label: "rating")', '');
    const { headers } = await gateway.post({ query: whole }, { 'Meridian-Include-Cost': 'true' });
    const { parts } = await requestParts(
      gateway.url,
      { query },
      { headers: { ...old, 'Meridian-Include-Cost': 'true' } },
    );
    await collect(parts);
    const actual = Number(headers.get('Meridian-Cost-Actual'));
    expect(actual).toBeGreaterThan(0);
    await gateway.logged({
      operation: 'Shop',
      costActual: actual,
      costEstimated: Number(headers.get('Meridian-Cost-Estimated')),
    });
  });

  it('is counted when all of it is out', async () => {
    const durations = samplesOf(await gateway.metrics(), 'meridian_operation_duration_seconds_count');
    expect(durations.filter(({ labels }) => labels['graphql_operation_name'] === 'Shop')).not.toEqual([]);
  });

  it.each([
    ['Defer20220824Handler', new Defer20220824Handler()],
    ['GraphQL17Alpha9Handler', new GraphQL17Alpha9Handler()],
  ])('is understood by Apollo Client: %s', async (_name, incrementalHandler) => {
    const letGo = hold(gateway.reviews);
    const client = new ApolloClient({
      cache: new InMemoryCache(),
      link: new HttpLink({ uri: gateway.url }),
      // Its types are for projects without `exactOptionalPropertyTypes`.
      incrementalHandler: incrementalHandler as never,
    });
    const results = client.watchQuery({
      query: gql`
        ${query}
      `,
    });
    const seen: unknown[] = [];
    const whole = firstValueFrom(
      (results as unknown as Observable<{ data?: unknown; dataState: string }>).pipe(
        filter((result) => {
          seen.push(result.data);
          if (result.dataState === 'streaming') {
            letGo();
          }
          return result.dataState === 'complete';
        }),
      ),
    );
    const { data } = await whole;
    expect(seen).toContainEqual({ topProducts: ['1', '2'].map((id) => ({ __typename: 'Product', id })) });
    expect(data).toEqual({
      topProducts: ['1', '2'].map((id) => ({ __typename: 'Product', id, rating: 4.5 })),
    });
    client.stop();
  });

  it('runs whole where supergraph.defer_support is on and the executor is apollo', async () => {
    await gateway.start({ config: 'meridian: { executor: apollo }' });
    const { body } = await gateway.post({ query }, old);
    expect(body.data).toEqual({
      topProducts: [
        { id: '1', rating: 4.5 },
        { id: '2', rating: 4.5 },
      ],
    });
  });
});

describe('The deadline of a request', () => {
  it('holds for all parts: what is late is null', async () => {
    await gateway.start({ config: 'traffic_shaping: { router: { timeout: 500ms } }' });
    gateway.reviews.misbehave(() => {});
    const { parts } = await requestParts(gateway.url, { query }, { headers: old });
    const all = await collect(parts);
    expect(all.at(-1)).toMatchObject({
      hasNext: false,
      incremental: [0, 1].map((index) => ({
        path: ['topProducts', index],
        data: null,
        errors: [{ extensions: { code: 'GATEWAY_TIMEOUT' } }],
      })),
    });
  });
});

describe('A deferred field', () => {
  const identity = useInSuite(createTestIdentity);
  beforeAll(() =>
    gateway.start({
      config: `
        authentication: { router: { jwt: { jwks: [{ url: '${identity.jwksUrl.href}', issuers: ['${identity.issuer}'] }] } } }
        authorization: { directives: { enabled: true } }
        apq: { enabled: false }
        persisted_queries:
          enabled: true
          local_manifests: ['\${env.MANIFEST_PATH}']
          safelist: { enabled: true, require_id: true }
      `,
      env: { NODE_ENV: 'development' },
      manifest: {
        'id-of-costs': 'query Costs { product(id: "1") { id ... @defer { margin name } } }',
        'id-of-rating': 'query Rating { product(id: "1") { id ... @defer { rating } } }',
        'id-of-cost': 'query Cost { product(id: "1") { id ... @defer { cost name } } }',
      },
    }),
  );

  it.each([
    ['id-of-costs', { margin: null, name: 'Product 1' }, 'margin'],
    ['id-of-cost', null, 'cost'],
  ])('that the caller may not see is null in its part: %s', async (id, data, field) => {
    const { parts } = await requestParts(gateway.url, persisted(id), { headers: old });
    const all = await collect(parts);
    expect(all).toMatchObject([
      { data: { product: { id: '1' } }, hasNext: true },
      {
        hasNext: false,
        incremental: [
          {
            path: ['product'],
            data,
            errors: [{ path: ['product', field], extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' } }],
          },
        ],
      },
    ]);
  });

  it("does not come after the caller's token has expired", async () => {
    gateway.reviews.misbehave(() => {});
    const token = await identity.token({ ttlSeconds: 2 });
    const { parts } = await requestParts(gateway.url, persisted('id-of-rating'), {
      headers: { ...old, Authorization: `Bearer ${token}` },
    });
    expect(await collect(parts)).toMatchObject([
      { data: { product: { id: '1' } }, hasNext: true },
      {
        hasNext: false,
        incremental: [
          {
            path: ['product'],
            data: null,
            errors: [{ path: ['product'], extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' } }],
          },
        ],
      },
    ]);
    gateway.reviews.reset();
  });
});
