import { beforeAll, describe, expect, it } from '@jest/globals';

import { respondJson } from '../../support/stub-subgraph.ts';
import type { ClientSideResponse } from '../../support/test-gateway.ts';
import { useTestGateway } from '../../support/use-test-gateway.ts';

const json = 'application/json';
const draft = 'application/graphql-response+json';
const good = { query: 'query A { time }' };
const bad = { query: 'query A { nothing }' };

const gateway = useTestGateway();

beforeAll(() => gateway.start());
describe('The media type and the status of a response', () => {
  it.each([
    [undefined, json],
    ['*/*', json],
    ['application/*', json],
    [json, json],
    [draft, draft],
    [`${draft}, ${json};q=0.9`, draft],
    [`${json}, ${draft};q=0.9`, json],
    [`${draft};q=0, */*`, json],
  ])('are those for Accept: %s → %s', async (accept, mediaType) => {
    const { headers } = await gateway.post(good, accept === undefined ? {} : { Accept: accept });
    expect(headers.get('content-type')).toBe(mediaType);
  });

  it('are 406 for an Accept list whose acceptable type comes after 100 others, or after 2000 characters', async () => {
    const statusAfter = async (others: string): Promise<number> =>
      (await gateway.post(good, { Accept: `${others}${json}` })).status;
    expect(await statusAfter('a/b,'.repeat(99))).toBe(200);
    expect(await statusAfter('a/b,'.repeat(100))).toBe(406);
    expect(await statusAfter(`a/${'b'.repeat(2000)},`)).toBe(406);
  });

  it('are 200 with application/json for a request error, as the specification rules', async () => {
    expect(await gateway.post(bad, { Accept: json })).toMatchObject({
      status: 200,
      code: 'GRAPHQL_VALIDATION_FAILED',
    });
  });

  it('are its own status with application/graphql-response+json for a request error, as the draft rules', async () => {
    expect((await gateway.post(bad, { Accept: draft })).status).toBe(400);
  });

  it('are 200 with either for an executed operation, also when its data is null', async () => {
    gateway.products.misbehave((response) => respondJson(response, {}, 500));
    const responses = [
      await gateway.post(good, { Accept: json }),
      await gateway.post(good, { Accept: draft }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('come with data and nothing else for an operation without errors', async () => {
    expect((await gateway.post(good)).body).toEqual({ data: { time: 'now' } });
  });

  it('come with a trace id and a request id in every response', async () => {
    const { headers } = await gateway.post(good);
    expect(headers.get('apollo-trace-id')).toMatch(/^[0-9a-f]{32}$/);
    expect(headers.get('request-id')).toBeTruthy();
  });
});

describe('Cache-Control of a GET response', () => {
  it.each([
    ["a field's own hint", '{ topProducts { reviews { id } } }', 'max-age=30, public'],
    [
      'the hint of the type that a field returns',
      '{ product(id: 1) { parts { id } } }',
      'max-age=60, public',
    ],
    ["a leaf below the root takes its parent's", '{ product(id: 1) { id name } }', 'max-age=60, public'],
    ['the most restrictive hint', '{ product(id: 1) { name price rating } }', 'max-age=10, public'],
    [
      'a hint that the variables leave out counts',
      '{ product(id: 1) { name price @skip(if: true) } }',
      'max-age=10, public',
    ],
    ['an inherited hint', '{ product(id: 1) { history } }', 'max-age=60, public'],
    ['a root field without a hint', '{ product(id: 1) { id } time }', 'no-store'],
    ['a composite field without a hint', '{ topProducts { supplier { id } } }', 'no-store'],
    ['a field of an interface', '{ search { name } }', 'max-age=60, public'],
    ['nothing but __typename', '{ __typename }', 'no-store'],
  ])('follows the rule: %s: %s is %s', async (_rule, query, cacheControl) => {
    const open = await gateway.get({ query: `query A ${query}` });
    expect(open.headers.get('cache-control')).toBe(cacheControl);
  });

  it('is private, with Vary, whenever the request carried Authorization', async () => {
    const query = 'query A { product(id: 1) { name } }';
    const { headers } = await gateway.get({ query }, { authorization: 'Bearer abc' });
    expect([headers.get('cache-control'), headers.get('vary')]).toEqual([
      'max-age=60, private',
      'Accept, Authorization',
    ]);
  });

  it('is public, with Vary, when any cache may store the response', async () => {
    const { headers } = await gateway.get({ query: 'query A { product(id: 1) { name } }' });
    expect([headers.get('cache-control'), headers.get('vary')]).toEqual([
      'max-age=60, public',
      'Accept, Authorization, Origin',
    ]);
  });

  it('is private, with Vary, also for a request error when the request carried Authorization', async () => {
    const fieldsOf = async (request: Promise<ClientSideResponse>): Promise<(string | null)[]> => {
      const { headers } = await request;
      return [headers.get('cache-control'), headers.get('vary')];
    };
    const token = { authorization: 'Bearer abc' };
    expect(await fieldsOf(gateway.get(bad, token))).toEqual(['private, no-store', 'Accept, Authorization']);
    expect(await fieldsOf(gateway.get({}, token))).toEqual(['private, no-store', 'Authorization']);
    expect(await fieldsOf(gateway.get(bad))).toEqual(['no-store', 'Accept']);
    expect(await fieldsOf(gateway.get({}))).toEqual(['no-store', null]);
  });

  it.each([
    ['max-age=5', 'max-age=5, public'],
    ['max-age=500', 'max-age=60, public'],
    ['private, max-age=5', 'max-age=5, private'],
    ['no-store', 'no-store'],
    ['no-cache', 'no-store'],
    ['max-age=soon', 'no-store'],
    ['public', 'max-age=60, public'],
  ])("is tightened by a subgraph's own `%s` to `%s`", async (field, cacheControl) => {
    gateway.products.misbehave((response) => {
      response.setHeader('Cache-Control', field);
      respondJson(response, { data: { product: { name: 'x' } } });
    });
    const { headers } = await gateway.get({ query: 'query A { product(id: 1) { name } }' });
    expect(headers.get('cache-control')).toBe(cacheControl);
  });

  it('is no-store with errors, and for a POST', async () => {
    const query = 'query A { product(id: 1) { name } }';
    expect((await gateway.post({ query })).headers.get('cache-control')).toBe('no-store');
    expect((await gateway.get(bad)).headers.get('cache-control')).toBe('no-store');
    gateway.products.misbehave((response) => respondJson(response, {}, 500));
    expect((await gateway.get({ query })).headers.get('cache-control')).toBe('no-store');
  });
});

describe('ETag of a GET response', () => {
  const members = { query: 'query A { product(id: 1) { name } }' };

  it('gives 304 to If-None-Match, with the same headers, and neither a body nor its type', async () => {
    const first = await gateway.get(members);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    const second = await gateway.get(members, { 'If-None-Match': etag });
    expect(second).toMatchObject({ status: 304, body: {} });
    for (const name of ['etag', 'cache-control', 'vary']) {
      expect(second.headers.get(name)).toBe(first.headers.get(name));
    }
    expect(second.headers.get('content-type')).toBeNull();
  });

  it.each<[string, (etag: string) => string, number]>([
    ['that is weak, as a proxy makes it', (etag) => `W/${etag}`, 304],
    ['in a list', (etag) => `"a,b", W/"c" , ${etag}`, 304],
    ['that is any', () => '*', 304],
    ['of another response', () => '"a", W/"b"', 200],
    ['that is malformed', (etag) => etag.slice(0, -1), 200],
    ['that another begins with', (etag) => `"x${etag.slice(1)}`, 200],
  ])('is compared weakly with an If-None-Match %s', async (_how, fieldOf, status) => {
    const { headers } = await gateway.get(members);
    const again = await gateway.get(members, { 'If-None-Match': fieldOf(headers.get('etag') ?? '') });
    expect(again.status).toBe(status);
  });

  it('differs by the data and by the media type', async () => {
    const tags = [
      await gateway.get(members),
      await gateway.get({ query: 'query A { product(id: 2) { name } }' }),
      await gateway.get(members, { Accept: draft }),
    ].map(({ headers }) => headers.get('etag'));
    expect(new Set(tags).size).toBe(3);
  });

  it('is absent from the response to a POST, and next to errors', async () => {
    expect((await gateway.post(members)).headers.get('etag')).toBeNull();
    gateway.products.misbehave((response) => respondJson(response, {}, 500));
    expect((await gateway.get(members)).headers.get('etag')).toBeNull();
  });
});
