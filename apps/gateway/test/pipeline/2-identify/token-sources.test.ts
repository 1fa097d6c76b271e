import { once } from 'node:events';

import { beforeAll, describe, expect, it } from '@jest/globals';
import { createTestIdentity } from '@meridian/testing';
import { WebSocket } from 'ws';

import type { ClientSideResponse } from '../../support/test-gateway.ts';
import { useTestGateway } from '../../support/use-test-gateway.ts';
import { respondJson } from '../../support/stub-subgraph.ts';
import { useInSuite } from '../../support/use-in-suite.ts';
import { startStreamingShop } from '../../streams/streaming-shop.ts';

type Fields = Readonly<Record<string, string>>;

const operation = { query: 'query Me { me { name } }' };

const identity = useInSuite(createTestIdentity);
let token: string;
let env: Record<string, string>;
const gateway = useTestGateway();

beforeAll(async () => {
  token = await identity.token();
  env = { NODE_ENV: 'development', JWKS_URL: identity.jwksUrl.href };
});

/** The configuration with these keys of `jwt`. */
function configOf(jwt: string, others = ''): string {
  return `
authentication: { router: { jwt: { jwks: [ { url: "\${env.JWKS_URL}" } ], ${jwt} } } }
${others}`;
}

function start(jwt: string, others?: string): Promise<unknown> {
  return gateway.start({ config: configOf(jwt, others), env });
}

/** The name of the caller, or the status and the code of a rejection; `anonymous` where the field needs a caller. */
function outcomeOf({ status, code, body }: ClientSideResponse): string {
  const me = body.data?.['me'];
  return me === null ? 'anonymous' : me === undefined ? `${status} ${code}` : 'Alice';
}

const post = async (headers: Fields): Promise<string> => outcomeOf(await gateway.post(operation, headers));

describe('A token in a header field', () => {
  it('is read from header_name, by header_value_prefix, in any case', async () => {
    await start('header_name: X-Session, header_value_prefix: Session');
    expect(await post({ 'x-session': `sESSION ${token}` })).toBe('Alice');
    expect(await post({ 'x-session': token })).toBe('401 UNAUTHENTICATED');
    expect(await post({ 'x-session': 'Session' })).toBe('401 UNAUTHENTICATED');
    expect(await post({ authorization: `Bearer ${token}` })).toBe('anonymous');
  });

  it('has no prefix where header_value_prefix is empty', async () => {
    await start('header_name: x-session, header_value_prefix: ""');
    expect(await post({ 'x-session': token })).toBe('Alice');
    expect(await post({ 'x-session': `Bearer ${token}` })).toBe('401 UNAUTHENTICATED');
  });

  it('is read from the first of the sources that has one', async () => {
    const expired = await identity.token({ ttlSeconds: -3600 });
    await start(
      'sources: [ { type: header, name: x-first, value_prefix: "" }, { type: header, name: x-second } ]',
    );
    expect(await post({ 'x-first': token, 'x-second': `Bearer ${expired}` })).toBe('Alice');
    expect(await post({ 'x-second': `Bearer ${token}` })).toBe('Alice');
    expect(await post({ authorization: `Bearer ${expired}`, 'x-first': token })).toBe('401 UNAUTHENTICATED');
  });

  it('is absent with another prefix, where these are ignored', async () => {
    await start('ignore_other_prefixes: true, sources: [ { type: header, name: x-token } ]');
    expect(await post({ authorization: 'Basic YWxpY2U6c2VjcmV0' })).toBe('anonymous');
    expect(await post({ authorization: 'Basic YWxpY2U6c2VjcmV0', 'x-token': `Bearer ${token}` })).toBe(
      'Alice',
    );
    expect(await post({ authorization: 'Bearer none' })).toBe('401 UNAUTHENTICATED');
  });

  it('varies responses, and keeps them from shared caches', async () => {
    await start('header_name: x-session, header_value_prefix: ""');
    const members = { query: 'query Time { time }' };
    gateway.products.misbehave((response) => {
      response.setHeader('cache-control', 'max-age=60, public');
      respondJson(response, { data: { time: 'now' } });
    });
    const fieldsFor = async (headers: Fields): Promise<unknown> => {
      const { headers: fields } = await gateway.get(members, headers);
      return [fields.get('cache-control'), fields.get('vary')];
    };
    const hint = expect.stringMatching(/(^|, )x-session(,|$)/);
    expect(await fieldsFor({})).toEqual(['no-store', hint]);
    expect(await fieldsFor({ 'x-session': token })).toEqual(['private, no-store', hint]);
    expect(await fieldsFor({ 'x-session': 'none' })).toEqual(['private, no-store', hint]);
  });
});

describe('on_error: Continue', () => {
  it('takes a caller with an invalid token as anonymous', async () => {
    await start('on_error: Continue');
    expect(await post({ authorization: 'Bearer none' })).toBe('anonymous');
    expect(await post({ authorization: 'Basic none' })).toBe('anonymous');
    expect(await post({ authorization: `Bearer ${token}` })).toBe('Alice');
  });

  it('rejects it all the same where a caller is required', async () => {
    await start('on_error: Continue', 'authorization: { require_authentication: true }');
    expect(await post({ authorization: 'Bearer none' })).toBe('401 UNAUTHENTICATED');
    expect(await post({})).toBe('401 UNAUTHENTICATED');
  });

  it('is 503 while the key set is unavailable: no caller loses rights in an outage', async () => {
    await gateway.start({
      config: configOf('on_error: Continue'),
      env: { ...env, JWKS_URL: 'file:///nowhere/jwks.json' },
    });
    expect(await post({ authorization: `Bearer ${token}` })).toBe('503 SERVICE_UNAVAILABLE');
  });
});

describe('A token in a cookie', () => {
  const cookieOf = (): string => `theme=dark; session=${token}; session=second`;

  it.each(['', 'csrf: { unsafe_disabled: true }'])('is the caller’s, by POST and GET: %s', async (csrf) => {
    await start('sources: [ { type: cookie, name: session } ]', csrf);
    expect(await post({ cookie: cookieOf() })).toBe('Alice');
    expect(outcomeOf(await gateway.get(operation, { cookie: cookieOf() }))).toBe('Alice');
    expect(await post({ cookie: `session="${token}"` })).toBe('Alice');
    expect(await post({ cookie: 'session=; theme=dark' })).toBe('anonymous');
    expect(await post({ cookie: 'xsession=none; session' })).toBe('anonymous');
    expect(await post({ cookie: 'session=none' })).toBe('401 UNAUTHENTICATED');
    expect(await post({ authorization: `Bearer ${token}`, cookie: 'session=none' })).toBe('Alice');
  });

  it('keeps responses from shared caches, and uncompressed', async () => {
    await start('sources: [ { type: cookie, name: session } ]', 'meridian: { compression: { min_size: 1 } }');
    const { headers } = await gateway.get(operation, { cookie: cookieOf(), 'accept-encoding': 'gzip' });
    expect(headers.get('cache-control')).toMatch(/^private/);
    expect(headers.get('vary')).toMatch(/(^|, )cookie(,|$)/);
    expect(headers.get('content-encoding')).toBeNull();
  });

  it.each([
    '',
    'csrf: { unsafe_disabled: true, required_headers: [accept] }',
    'cors: { allow_any_origin: true }',
  ])('is rejected where a foreign page may have made a browser send it: %s', async (others) => {
    await start('sources: [ { type: cookie, name: session } ]', others);
    const cookie = cookieOf();
    const evil = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', cookie };
    const query = new URLSearchParams(operation).toString();
    const json = { 'content-type': 'application/json' };
    const body = JSON.stringify(operation);
    const attempts: Readonly<Record<string, RequestInit>> = {
      'a form': {
        method: 'POST',
        headers: { ...evil, 'content-type': 'application/x-www-form-urlencoded' },
        body: query,
      },
      'a form of text': { method: 'POST', headers: { ...evil, 'content-type': 'text/plain' }, body },
      'a blob of no type': { method: 'POST', headers: evil, body: Buffer.from(body) },
      'a type that looks like JSON': {
        method: 'POST',
        headers: { ...evil, 'content-type': 'text/plain; application/json' },
        body,
      },
      'a null origin': { method: 'POST', headers: { ...json, origin: 'null', cookie }, body },
      'JSON of an origin that is not listed': { method: 'POST', headers: { ...json, ...evil }, body },
      'JSON of a browser without fetch metadata': {
        method: 'POST',
        headers: { ...json, origin: 'https://evil.example', cookie },
        body,
      },
      'an origin that begins as our own': {
        method: 'POST',
        headers: { ...json, cookie, origin: `${new URL(gateway.url).origin}.evil.example` },
        body,
      },
    };
    for (const [attempt, init] of Object.entries(attempts)) {
      const response = await fetch(gateway.url, init);
      expect([attempt, [400, 415].includes(response.status)]).toEqual([attempt, true]);
      expect(await response.text()).not.toContain('Alice');
    }
    const reads: Readonly<Record<string, Fields>> = {
      'an image or a link': { cookie, 'sec-fetch-site': 'cross-site', accept: 'image/*, */*' },
      'EventSource with credentials': { ...evil, accept: 'text/event-stream' },
      'a page of another subdomain': { cookie, 'sec-fetch-site': 'same-site' },
      'no header field that needs a preflight': { cookie },
    };
    for (const [attempt, headers] of Object.entries(reads)) {
      const response = await fetch(`${gateway.url}?${query}`, { headers });
      const isSafe = attempt === 'no header field that needs a preflight' && others.includes('[accept]');
      expect([attempt, response.status]).toEqual([attempt, isSafe ? 200 : 400]);
    }
    expect(gateway.products.received.length).toBe(others.includes('[accept]') ? 1 : 0);
  });

  it('is taken from pages of its own origin, and of those that CORS lets send credentials', async () => {
    await start(
      'sources: [ { type: cookie, name: session } ]',
      'cors: { policies: [ { origins: ["https://app.example"], allow_credentials: true }, { origins: ["https://news.example"] } ] }',
    );
    const cookie = cookieOf();
    expect(await post({ cookie, origin: 'https://app.example', 'sec-fetch-site': 'cross-site' })).toBe(
      'Alice',
    );
    expect(await post({ cookie, origin: new URL(gateway.url).origin })).toBe('Alice');
    expect(await post({ cookie, origin: 'https://behind-a.proxy', 'sec-fetch-site': 'same-origin' })).toBe(
      'Alice',
    );
    expect(await post({ cookie, origin: 'https://news.example' })).toBe('400 BAD_REQUEST');
    // A page over http:// of a gateway over https://.
    expect(await post({ cookie, origin: new URL(gateway.url).origin, 'sec-fetch-site': 'cross-site' })).toBe(
      '400 BAD_REQUEST',
    );
  });
});

describe('A WebSocket', () => {
  const shop = useInSuite(() =>
    startStreamingShop({
      config: `
      authentication: { router: { jwt: { jwks: [ { url: "\${env.JWKS_URL}" } ], sources: [ { type: cookie, name: session }, { type: header, name: x-token, value_prefix: "" } ] } } }
      authorization: { require_authentication: true }
      cors: { allow_any_origin: true, policies: [] }`,
      env,
    }),
  );

  /** `connection_ack`, or the code with which the gateway closes the connection. */
  async function connect(headers: Fields, payload: object = {}, origin?: string): Promise<unknown> {
    const socket = new WebSocket(shop.gateway.url.replace('http', 'ws'), 'graphql-transport-ws', {
      headers,
      ...(origin !== undefined && { origin }),
    });
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'connection_init', payload }));
    const outcome = await Promise.race([
      once(socket, 'message').then(([data]) => (JSON.parse(String(data)) as { type: string }).type),
      once(socket, 'close').then(([code]) => code as number),
    ]);
    socket.terminate();
    return outcome;
  }

  it('takes the cookie of its own pages, and of clients without an origin', async () => {
    const cookie = `session=${token}`;
    expect(await connect({ cookie })).toBe('connection_ack');
    expect(await connect({ cookie }, {}, new URL(shop.gateway.url).origin)).toBe('connection_ack');
    expect(await connect({})).toBe(4403);
  });

  it('is not hijacked by a foreign page, although CORS lets any page connect', async () => {
    expect(await connect({ cookie: `session=${token}` }, {}, 'https://evil.example')).toBe(4403);
    expect(await connect({}, { cookie: `session=${token}` }, 'https://evil.example')).toBe(4403);
  });

  it('takes the header field of a source in connection_init', async () => {
    expect(await connect({}, { 'X-Token': token }, 'https://page.example')).toBe('connection_ack');
    expect(await connect({}, { authorization: `Bearer ${token}` })).toBe('connection_ack');
    expect(await connect({}, { 'x-other': token })).toBe(4403);
  });
});
