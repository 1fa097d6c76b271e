import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { createTokenVerifier } from '@meridian/auth';
import type { Introspection, TokenVerifier } from '@meridian/auth';
import { serveJwks } from '../support/jwks-server.ts';
import { invalidToken, unavailable } from '../support/problems.ts';
import { createSigner, startSeconds } from '../support/signer.ts';

const good = {
  active: true,
  token_type: 'Bearer',
  iss: 'https://issuer.example',
  aud: ['meridian'],
  sub: 'alice',
  tenant_id: 'acme',
  scope: 'accounts:read orders:read',
  exp: startSeconds + 20,
};

const unbounded = { take: () => true, release() {} };

interface Endpoint extends AsyncDisposable {
  readonly verifier: TokenVerifier;
  readonly advance: (seconds: number) => void;
  readonly seen: { readonly authorization: string | undefined; readonly body: string }[];
}

/** A verifier whose introspection endpoint answers as the listener does. */
async function startEndpoint(
  respond: (...at: Parameters<RequestListener>) => unknown,
  rules: Partial<Introspection> = {},
): Promise<Endpoint> {
  const seen: Endpoint['seen'] = [];
  const take: (...at: Parameters<RequestListener>) => Promise<void> = async (request, response) => {
    seen.push({ authorization: request.headers.authorization, body: await text(request) });
    respond(request, response);
  };
  let nowMs = startSeconds * 1000;
  const server = await serveJwks((request, response) => {
    void take(request, response);
  });
  const verifier = createTokenVerifier({
    issuers: [],
    introspection: {
      endpoint: server.url,
      clientId: 'gate way',
      clientSecret: 'a:b',
      issuer: 'https://issuer.example',
      audience: 'meridian',
      cacheMs: 10_000,
      ...rules,
    },
    introspectionPlaces: unbounded,
    now: () => nowMs,
  });
  return {
    verifier,
    seen,
    advance: (seconds) => void (nowMs += seconds * 1000),
    async [Symbol.asyncDispose]() {
      verifier.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

const responding =
  (claims: object): RequestListener =>
  (_, response) =>
    response.end(JSON.stringify(claims));

describe('An opaque token', () => {
  it('is introspected by RFC 7662, and has the caller that a signed token has', async () => {
    await using endpoint = await startEndpoint(responding(good));
    await expect(endpoint.verifier.verify('opaque-1')).resolves.toEqual({
      tenantId: 'acme',
      subject: 'alice',
      issuer: 'https://issuer.example',
      scopes: new Set(['accounts:read', 'orders:read']),
      expiresAt: startSeconds + 20,
    });
    expect(endpoint.seen).toEqual([
      {
        authorization: `Basic ${Buffer.from('gate+way:a%3Ab').toString('base64')}`,
        body: 'token=opaque-1&token_type_hint=access_token',
      },
    ]);
  });

  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::6', '2001:db8:0:0'],
    ['::1', ':0:0:0'],
    ['2001:db8:1::', '2001:db8:1:0'],
    [undefined, ''],
  ])('is counted for its sender: %s for %s', async (peer, key) => {
    const senders: string[] = [];
    const verifier = createTokenVerifier({
      issuers: [],
      introspection: {
        endpoint: 'https://a.example',
        clientId: 'a',
        clientSecret: 'b',
        issuer: 'a',
        audience: 'b',
        cacheMs: 1,
      },
      introspectionPlaces: { take: (sender) => senders.push(sender) > 1, release() {} },
    });
    await expect(verifier.verify('opaque', { peer })).rejects.toMatchObject(unavailable(1));
    expect(senders).toEqual([key]);
  });

  it('is asked for once at a time, and again after the time that a revoked one may last', async () => {
    let isActive = true;
    await using endpoint = await startEndpoint((_, response) => {
      response.end(JSON.stringify(isActive ? good : { active: false }));
    });
    await Promise.all([1, 2, 3].map(() => endpoint.verifier.verify('opaque')));
    expect(endpoint.seen).toHaveLength(1);
    isActive = false;
    endpoint.advance(9);
    await expect(endpoint.verifier.verify('opaque')).resolves.toMatchObject({ subject: 'alice' });
    endpoint.advance(1);
    await expect(endpoint.verifier.verify('opaque')).rejects.toMatchObject(invalidToken);
    await expect(endpoint.verifier.verify('opaque')).rejects.toMatchObject(invalidToken);
    expect(endpoint.seen).toHaveLength(3);
  });

  it('is never kept past its exp, nor for more than a minute', async () => {
    await using short = await startEndpoint(responding(good), { cacheMs: 60_000 });
    await short.verifier.verify('opaque');
    short.advance(20);
    await short.verifier.verify('opaque');
    expect(short.seen).toHaveLength(2);
    await using long = await startEndpoint(responding({ ...good, exp: startSeconds + 900 }), {
      cacheMs: 900_000,
    });
    await long.verifier.verify('opaque');
    long.advance(60);
    await long.verifier.verify('opaque');
    expect(long.seen).toHaveLength(2);
  });

  it.each([
    ['is not active', { active: false }],
    ['has expired', { ...good, exp: startSeconds - 31 }],
    ['has no exp', { ...good, exp: undefined }],
    ['is not valid yet', { ...good, nbf: startSeconds + 31 }],
    ['is of another issuer', { ...good, iss: 'https://other.example' }],
    ['is for another audience', { ...good, aud: 'other' }],
    ['has no audience, as a refresh token', { ...good, aud: undefined, token_type: undefined }],
    ['is bound to a key', { ...good, token_type: 'DPoP' }],
    ['is bound to a certificate', { ...good, cnf: { 'x5t#S256': 'a' } }],
    ['has no tenant', { ...good, tenant_id: undefined }],
    ['has no subject', { ...good, sub: undefined }],
  ])('is rejected where the endpoint says that it %s', async (_case, claims) => {
    await using endpoint = await startEndpoint(responding(claims));
    await expect(endpoint.verifier.verify('opaque')).rejects.toMatchObject(invalidToken);
  });

  it('without a type is rejected where no audiences are configured', async () => {
    await using endpoint = await startEndpoint(responding({ ...good, token_type: undefined }), {
      audience: undefined,
    });
    await expect(endpoint.verifier.verify('opaque')).rejects.toMatchObject(invalidToken);
  });

  it.each<[string, RequestListener]>([
    ['fails', (_, response) => response.writeHead(500).end(JSON.stringify(good))],
    ['refuses the gateway', (_, response) => response.writeHead(401).end('{}')],
    ['redirects', (_, response) => response.writeHead(307, { Location: 'https://a.example' }).end()],
    ['is HTML', (_, response) => response.end('<html>Sign in</html>')],
    ['says "true"', responding({ ...good, active: 'true' })],
    ['says nothing', responding({})],
    ['is a list', responding([good])],
    ['is endless', (_, response) => response.end(`{"active":true,"a":"${'a'.repeat(300_000)}"}`)],
    ['breaks off', (_, response) => response.destroy()],
    ['hangs', () => {}],
  ])('is 503, never 401, where the endpoint %s', async (_case, listener) => {
    await using endpoint = await startEndpoint(listener);
    await expect(endpoint.verifier.verify('opaque')).rejects.toMatchObject(unavailable(1));
  });

  it('is the only one that is introspected where there are key sets', async () => {
    const signer = createSigner();
    await using endpoint = await startEndpoint(responding(good));
    const introspection = {
      endpoint: 'https://endpoint.example/',
      clientId: 'a',
      clientSecret: 'b',
      issuer: 'https://issuer.example',
      audience: 'meridian',
      cacheMs: 1000,
    };
    const requested: string[] = [];
    const verifier = createTokenVerifier({
      issuers: [
        { issuer: 'https://issuer.example', audience: 'meridian', jwksUrl: 'https://issuer.example/jwks' },
      ],
      introspection,
      introspectionPlaces: unbounded,
      now: () => startSeconds * 1000,
      fetch: (url) => {
        requested.push(new Request(url).url);
        return Promise.resolve(Response.json(requested.length === 1 ? { keys: [signer.jwk] } : good));
      },
    });
    await verifier.verify(signer.token());
    await verifier.verify('opaque');
    expect(requested).toEqual(['https://issuer.example/jwks', 'https://endpoint.example/']);
    expect(endpoint.seen).toEqual([]);
  });
});
