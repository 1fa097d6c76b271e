// Header fields of subgraphs that rules pass on to the client.
import { beforeAll, describe, expect, it } from '@jest/globals';

import type { ClientSideResponse } from '../../support/test-gateway.ts';
import type { StubSubgraph } from '../../support/stub-subgraph.ts';
import { useTestGateway } from '../../support/use-test-gateway.ts';

const gateway = useTestGateway();

const configOf = (all: readonly string[], products: readonly string[] = []): string => `
  meridian:
    headers:
      all: { response: [ ${all.map((rule) => `{ ${rule} }`).join(', ')} ] }
      subgraphs: { products: { response: [ ${products.map((rule) => `{ ${rule} }`).join(', ')} ] } }
`;
const propagate = (name: string, algorithm = 'append', more = ''): string =>
  `propagate: { named: ${name}, algorithm: ${algorithm}${more} }`;
const propagatesCookies = configOf([propagate('Set-Cookie')]);

const ofProducts = { data: { product: { id: '1', name: 'A', __typename: 'Product' } } };
const ofReviews = { data: { _entities: [{ rating: 4, reviews: [] }] } };
/** Asks products, then reviews. */
const both = { query: 'query A { product(id: 1) { name rating } }' };
const onlyProducts = { query: 'query A { product(id: 1) { name } }' };

type Fields = Readonly<Record<string, string | readonly string[]>>;

function respondWith(subgraph: StubSubgraph, body: object, fields: Fields, status = 200): void {
  subgraph.misbehave((response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...(fields as Record<string, string>) });
    response.end(JSON.stringify(body));
  });
}

/** The fields that the client gets, of the fields of the two subgraphs. */
async function fieldsFor(products: Fields, reviews: Fields = {}): Promise<Headers> {
  respondWith(gateway.products, ofProducts, products);
  respondWith(gateway.reviews, ofReviews, reviews);
  const { body, headers } = await gateway.post(both);
  expect(body).toEqual({ data: { product: { name: 'A', rating: 4 } } });
  return headers;
}

describe('Header fields of two subgraphs', () => {
  it.each([
    ['first', 'p'],
    ['last', 'r'],
    ['append', 'p, r'],
  ])('become one by the algorithm %s', async (algorithm, expected) => {
    await gateway.start({ config: configOf([propagate('X-One', algorithm)]) });
    expect((await fieldsFor({ 'X-One': 'p' }, { 'x-one': 'r' })).get('x-one')).toBe(expected);
    expect((await fieldsFor({}, { 'x-one': 'r' })).get('x-one')).toBe('r');
    expect((await fieldsFor({})).get('x-one')).toBeNull();
  });

  it('are read anew from each response of a kept connection', async () => {
    await gateway.start({ config: configOf([propagate('X-One')]) });
    for (const value of ['1', '2', '3']) {
      expect((await fieldsFor({ 'x-one': value })).get('x-one')).toBe(value);
    }
  });

  it('are passed on by a pattern, renamed, defaulted, inserted and removed, rules of all first', async () => {
    await gateway.start({
      config: configOf(
        [
          'propagate: { matching: "^x-", algorithm: last }',
          propagate('Retry-After', 'last', ', rename: X-Retry, default: never'),
          propagate('X-Absent', 'first', ', default: fallback'),
          'insert: { name: X-Via, value: graph }',
        ],
        ['remove: { matching: "secret" }', 'insert: { name: X-One, value: fixed }'],
      ),
    });
    const headers = await fieldsFor(
      { 'x-one': 'p', 'x-secret': 'p', 'retry-after': '7', other: 'o' },
      { 'x-two': 'r', 'x-secret': 'r' },
    );
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-one': 'fixed',
      'x-two': 'r',
      // Removed for products alone.
      'x-secret': 'r',
      'x-retry': '7',
      'x-absent': 'fallback',
      'x-via': 'graph',
    });
    expect(headers.has('other')).toBe(false);
    expect((await fieldsFor({})).get('x-retry')).toBe('never');
  });

  it('never describe a message, a connection, an origin or the gateway', async () => {
    await gateway.start({ config: configOf(['propagate: { matching: ".*", algorithm: append }']) });
    const headers = await fieldsFor({
      'Keep-Alive': 'timeout=1',
      'Access-Control-Allow-Origin': 'https://evil.example',
      'Content-Language': 'de',
      'Request-Id': 'forged',
      ETag: '"a"',
      Age: '5',
      'Cache-Control': 'public, max-age=100',
      Vary: 'X-Tenant',
      'X-Long': 'x'.repeat(9000),
      'X-Bytes': 'Ã¤',
    });
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-language': 'de',
      'cache-control': 'no-store',
      vary: 'Accept',
    });
    for (const name of ['access-control-allow-origin', 'etag', 'age', 'x-long', 'x-bytes']) {
      expect(headers.has(name)).toBe(false);
    }
    expect(headers.get('request-id')).toMatch(/^[\da-f-]{36}$/);
  });

  it('keep within 16 KiB in all', async () => {
    await gateway.start({ config: configOf(['propagate: { matching: "^x-", algorithm: append }']) });
    const many = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`x-${name}`, 'x'.repeat(5000)]));
    const headers = await fieldsFor(many);
    expect([...headers.keys()].filter((name) => /^x-[a-d]$/.test(name))).toHaveLength(3);
  });

  it('join Vary of the gateway', async () => {
    await gateway.start({ config: configOf([propagate('Vary')]) });
    expect((await fieldsFor({ Vary: 'X-Region' })).get('vary')).toBe('Accept, X-Region');
  });
});

describe('Set-Cookie', () => {
  beforeAll(() => gateway.start({ config: propagatesCookies }));

  it('stays one field for each cookie, and makes the response private', async () => {
    const headers = await fieldsFor(
      { 'Set-Cookie': ['a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT', 'b=2'] },
      { 'Set-Cookie': 'c=3' },
    );
    expect(headers.getSetCookie()).toEqual(['a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT', 'b=2', 'c=3']);
    expect(headers.get('cache-control')).toBe('private, no-store');
  });

  it('of a response with an error status reaches the client too', async () => {
    respondWith(
      gateway.products,
      { errors: [{ message: 'no' }] },
      { 'Set-Cookie': 'session=; Max-Age=0' },
      401,
    );
    const { headers, body } = await gateway.post(onlyProducts);
    expect(body.errors).toHaveLength(2);
    expect(headers.getSetCookie()).toEqual(['session=; Max-Age=0']);
  });

  it('comes with the head of a response in parts, unless it is of a later part', async () => {
    respondWith(gateway.products, ofProducts, { 'Set-Cookie': 'early=1' });
    respondWith(gateway.reviews, ofReviews, { 'Set-Cookie': 'late=1' });
    const response = await gateway.send(
      { query: 'query A { product(id: 1) { name ... @defer { rating } } }' },
      { Accept: 'multipart/mixed;deferSpec=20220824, application/json' },
    );
    expect(await response.text()).toContain('"rating":4');
    expect(response.headers.getSetCookie()).toEqual(['early=1']);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
  });
});

describe('Equal operations in flight, of a subgraph that gives each session a cookie', () => {
  const query = 'query A { time }';

  /** Holds all responses until as many requests have arrived; each gets a cookie of its own. */
  function giveSessions(count: number): void {
    const all = Promise.withResolvers<void>();
    let sessions = 0;
    gateway.products.misbehave(async (response, { headers }) => {
      sessions += 1;
      const session = `s=${sessions}-${headers.authorization ?? 'anonymous'}`;
      if (sessions === count) {
        all.resolve();
      }
      await all.promise;
      response.writeHead(200, { 'Content-Type': 'application/json', 'Set-Cookie': session });
      response.end('{"data":{"time":"now"}}');
    });
  }

  const cookiesOf = async (requests: readonly Promise<ClientSideResponse>[]): Promise<readonly string[]> =>
    (await Promise.all(requests)).flatMap(({ headers }) => headers.getSetCookie());

  it.each([
    ['anonymous clients', [undefined, undefined, undefined]],
    ['one token', ['a', 'a', 'a']],
    ['two tenants', ['a', 'b', 'a']],
  ])('gives no cookie to another client: %s', async (_clients, tokens) => {
    await gateway.start({
      config: `
        headers: { all: { request: { operations: [{ propagate: { named: authorization } }] } } }
        ${propagatesCookies.trim().replaceAll('\n', '\n        ')}
      `,
    });
    giveSessions(tokens.length);
    const cookies = await cookiesOf(
      tokens.map((token) =>
        gateway.post({ query }, token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ),
    );
    expect(gateway.products.received).toHaveLength(tokens.length);
    expect(new Set(cookies).size).toBe(tokens.length);
    const owners = cookies.map((cookie) => cookie.split('-')[1]);
    expect(owners).toEqual(tokens.map((token) => (token === undefined ? 'anonymous' : `Bearer ${token}`)));
  });

  it('still share requests to subgraphs without rules', async () => {
    await gateway.start({
      config:
        'meridian: { headers: { subgraphs: { reviews: { response: [{ propagate: { named: Set-Cookie, algorithm: append } }] } } } }',
    });
    const released = Promise.withResolvers<void>();
    gateway.products.misbehave(async (response) => {
      await released.promise;
      response.writeHead(200, { 'Content-Type': 'application/json', 'Set-Cookie': 'secret=1' });
      response.end('{"data":{"time":"now"}}');
    });
    const requests = [gateway.post({ query }), gateway.post({ query })];
    await gateway.post({ query: 'query Probe { review(id: 1) { id } }' });
    await gateway.post({ query: 'query Probe { review(id: 2) { id } }' });
    released.resolve();
    expect(await cookiesOf(requests)).toEqual([]);
    expect(gateway.products.received).toHaveLength(1);
  });
});

describe('A publicly cacheable response', () => {
  const cacheable = { query: 'query A { product(id: 1) { name } }' };
  const cacheControlOf = async (fields: Fields): Promise<string | null> => {
    respondWith(gateway.products, ofProducts, fields);
    return (await gateway.get(cacheable)).headers.get('cache-control');
  };

  it('is private once it has a field of a subgraph', async () => {
    await gateway.start({ config: configOf([propagate('X-One'), propagate('Set-Cookie')]) });
    expect(await cacheControlOf({})).toBe('max-age=60, public');
    expect(await cacheControlOf({ 'x-one': '1' })).toBe('max-age=60, private');
    expect(await cacheControlOf({ 'set-cookie': 'a=1' })).toBe('private, no-store');
  });

  it('takes the shortest time of all subgraphs, by most_restrictive_cache_control', async () => {
    await gateway.start({ config: configOf([propagate('Cache-Control', 'most_restrictive_cache_control')]) });
    const restrictive = async (products: string | undefined, reviews?: string): Promise<string | null> => {
      respondWith(gateway.products, ofProducts, products === undefined ? {} : { 'Cache-Control': products });
      respondWith(gateway.reviews, ofReviews, reviews === undefined ? {} : { 'Cache-Control': reviews });
      return (await gateway.get(both)).headers.get('cache-control');
    };
    expect(await restrictive('max-age=600', 'public, max-age=300')).toBe('max-age=300, public');
    expect(await restrictive('max-age=600', 'max-age=900, private')).toBe('max-age=600, private');
    expect(await restrictive('max-age=600')).toBe('no-store');
    expect(await restrictive('max-age=600', 'no-cache')).toBe('no-store');
    expect((await gateway.post(both)).headers.get('cache-control')).toBe('no-store');
  });
});

describe('A subgraph’s time for a response', () => {
  const rule = configOf([propagate('Cache-Control', 'most_restrictive_cache_control')]);
  const fields = { 'Cache-Control': 'max-age=600' };

  it('leaves a field private that the schema says is', async () => {
    await gateway.start({ config: `${rule}  authorization: { directives: { enabled: false } }` });
    respondWith(gateway.products, { data: { me: { name: 'Alice' } } }, fields);
    const { headers } = await gateway.get({ query: 'query A { me { name } }' });
    expect(headers.get('cache-control')).toBe('max-age=600, private');
  });

  it('stores no response that lacks fields for want of authorization', async () => {
    await gateway.start({
      config: `${rule}  authorization: { directives: { errors: { response: disabled } } }`,
    });
    respondWith(gateway.products, { data: { product: { name: 'Chair' } } }, fields);
    const { headers, body } = await gateway.get({ query: 'query A { product(id: 1) { name margin } }' });
    expect(body).toEqual({ data: { product: { name: 'Chair', margin: null } } });
    expect(headers.get('cache-control')).toBe('no-store');
  });
});

describe('meridian.headers', () => {
  it.each([
    [[propagate('Content-Length')], 'takes no Content-Length, which the gateway alone sets'],
    [[propagate('a', 'append', ', rename: Access-Control-Allow-Origin')], 'which the gateway alone sets'],
    [[propagate('Cache-Control', 'last')], 'takes only algorithm: most_restrictive_cache_control'],
    [[propagate('X-One', 'most_restrictive_cache_control')], 'only for named: Cache-Control'],
    [['propagate: { named: a }'], 'algorithm: is required'],
    [['insert: { name: Cache-Control, value: public }'], 'takes no Cache-Control'],
  ])('stops the start for %s', async (rules, message) => {
    await expect(gateway.start({ config: configOf(rules) })).rejects.toThrow(message);
  });

  it('stops the start for Cache-Control of one subgraph alone', async () => {
    const config = configOf([], [propagate('Cache-Control', 'most_restrictive_cache_control')]);
    await expect(gateway.start({ config })).rejects.toThrow('takes Cache-Control only under all');
  });
});
