import { describe, expect, it } from '@jest/globals';

import { useTestGateway } from '../support/use-test-gateway.ts';

const app = 'https://app.example';
const studio = 'https://studio.apollographql.com';
const operation = { query: 'query A { time }' };
const cacheable = { query: 'query A { product(id: 1) { id } }' };

const gateway = useTestGateway();

describe('CORS as in Apollo Router', () => {
  it('lets Apollo Studio read responses by default, and no other page', async () => {
    await gateway.start();
    expect(accessFields((await gateway.post(operation, { Origin: studio })).headers)).toEqual({
      'access-control-allow-origin': studio,
    });
    const { headers, body } = await gateway.post(operation, { Origin: app });
    expect([accessFields(headers), body]).toEqual([{}, { data: { time: 'now' } }]);
  });

  it('answers a preflight before it authenticates, with the requested header fields', async () => {
    await gateway.start();
    const response = await preflight(studio, {
      'Access-Control-Request-Headers': 'authorization,content-type',
    });
    expect([response.status, accessFields(response.headers), response.headers.get('vary')]).toEqual([
      204,
      {
        'access-control-allow-origin': studio,
        'access-control-allow-methods': 'GET, POST, OPTIONS',
        'access-control-allow-headers': 'authorization,content-type',
      },
      'Origin, Access-Control-Request-Headers',
    ]);
  });

  it('grants nothing in the preflight of any other page', async () => {
    await gateway.start();
    const response = await preflight(app);
    expect([response.status, accessFields(response.headers)]).toEqual([204, {}]);
  });

  it('answers 405 to OPTIONS without a preflight', async () => {
    await gateway.start();
    const { status, headers } = await fetch(gateway.url, { method: 'OPTIONS' });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  });

  it('applies the first policy that matches, and the rule for all where that one is silent', async () => {
    await gateway.start({
      config: `
cors:
  allow_headers: [content-type]
  expose_headers: [apollo-trace-id]
  max_age: 2h
  policies:
    - origins: ['${app}']
      allow_credentials: true
      methods: [POST]
      max_age: 1m
    - match_origins: ['^https://.*\\.example$']
`,
    });
    expect(accessFields((await preflight(app)).headers)).toEqual({
      'access-control-allow-origin': app,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type',
      'access-control-max-age': '60',
    });
    expect(accessFields((await preflight('https://shop.example')).headers)).toEqual({
      'access-control-allow-origin': 'https://shop.example',
      'access-control-allow-methods': 'GET, POST, OPTIONS',
      'access-control-allow-headers': 'content-type',
      'access-control-max-age': '7200',
    });
    expect(accessFields((await preflight('https://app.example.evil.test')).headers)).toEqual({});
    // No host has a name as long as that.
    expect(accessFields((await preflight(`https://${'a'.repeat(300)}.example`)).headers)).toEqual({});
    expect(accessFields((await gateway.post(operation, { Origin: app })).headers)).toEqual({
      'access-control-allow-origin': app,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'apollo-trace-id',
    });
  });

  it('lets pages of a policy reach a private network, where the browser asks for that', async () => {
    await gateway.start({
      config: `
cors:
  policies:
    - { origins: ['${app}'], private_network_access: { access_id: '01:23:45:67:89:0A', access_name: shop } }
    - origins: ['${studio}']
`,
    });
    const asking = { 'Access-Control-Request-Private-Network': 'true' };
    expect(networkFields(await preflight(app, asking))).toEqual(['true', '01:23:45:67:89:0A', 'shop']);
    expect(networkFields(await preflight(app))).toEqual([null, null, null]);
    expect(networkFields(await preflight(studio, asking))).toEqual([null, null, null]);
    expect(networkFields(await preflight('https://other.example', asking))).toEqual([null, null, null]);
  });

  it('lets a page read request errors too', async () => {
    await gateway.start();
    const { headers, code } = await gateway.post('{', { Origin: studio });
    expect([code, accessFields(headers)]).toEqual(['BAD_REQUEST', { 'access-control-allow-origin': studio }]);
  });

  it('lets any page read with allow_any_origin, with the same header field for all', async () => {
    await gateway.start({ config: 'cors: { allow_any_origin: true }' });
    for (const origin of [{ Origin: app }, {}]) {
      const { headers } = await gateway.get(cacheable, origin);
      expect([accessFields(headers), headers.get('vary')]).toEqual([
        { 'access-control-allow-origin': '*' },
        'Accept, Authorization',
      ]);
    }
  });

  it('varies cached responses by origin, always when a shared cache may store them', async () => {
    await gateway.start();
    const vary = async (headers: Readonly<Record<string, string>>): Promise<string | null> =>
      (await gateway.get(cacheable, headers)).headers.get('vary');
    expect([
      await vary({}),
      await vary({ Origin: app }),
      await vary({ Authorization: 'Bearer x' }),
      await vary({ Authorization: 'Bearer x', Origin: app }),
    ]).toEqual([
      'Accept, Authorization, Origin',
      'Accept, Authorization, Origin',
      'Accept, Authorization',
      'Accept, Authorization, Origin',
    ]);
  });
});

function networkFields({ headers }: Response): (string | null)[] {
  return [
    'access-control-allow-private-network',
    'private-network-access-id',
    'private-network-access-name',
  ].map((name) => headers.get(name));
}

async function preflight(origin: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return await fetch(gateway.url, {
    method: 'OPTIONS',
    headers: { Origin: origin, 'Access-Control-Request-Method': 'POST', ...headers },
  });
}

/** The header fields that are about access from other origins. */
function accessFields(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));
}
