import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';

import { beforeAll, describe, expect, it } from '@jest/globals';
import { createTestIdentity } from '@meridian/testing';

import { startTestGateway } from '../../support/test-gateway.ts';
import { useInSuite } from '../../support/use-in-suite.ts';

const operation = { query: 'query Me { me { name } }' };
const jwt = `
authentication: { router: { jwt: { jwks: [ { url: "\${env.JWKS_URL}", issuers: ["\${env.JWT_ISSUER}"] } ] } } }
`;

const identity = useInSuite(createTestIdentity);
let env: Record<string, string>;

beforeAll(async () => {
  env = { NODE_ENV: 'development', JWKS_URL: identity.jwksUrl.href, JWT_ISSUER: identity.issuer };
});

describe('A key set without issuers', () => {
  it('admits every caller whose token its keys have signed', async () => {
    await using gateway = await startTestGateway({
      config: `
        authentication: { router: { jwt: { jwks: [ { url: "${identity.jwksUrl.href}" } ] } } }
        authorization: { require_authentication: true }
      `,
      env: { NODE_ENV: 'development' },
    });
    const authorization = `Bearer ${await identity.token()}`;
    expect((await gateway.post(operation, { authorization })).body).toEqual({
      data: { me: { name: 'Alice' } },
    });
    expect((await gateway.post(operation)).status).toBe(401);
  });
});

describe('The gateway with authorization.require_authentication', () => {
  const gateway = useInSuite(() =>
    startTestGateway({
      config: `${jwt}\nauthorization: { require_authentication: true }`,
      env,
    }),
  );

  it('admits a caller with a token', async () => {
    const authorization = `Bearer ${await identity.token()}`;
    expect((await gateway.post(operation, { authorization })).body).toEqual({
      data: { me: { name: 'Alice' } },
    });
  });

  it.each([
    ['no token', undefined, 'Bearer realm="meridian"'],
    ['another scheme', 'Basic YWxpY2U6c2VjcmV0', 'Bearer realm="meridian"'],
    ['a bad token', 'Bearer abc', 'Bearer realm="meridian", error="invalid_token"'],
  ])('answers 401 UNAUTHENTICATED with a challenge to %s', async (_case, authorization, challenge) => {
    const { status, headers, code } = await gateway.post(operation, authorization ? { authorization } : {});
    expect({ status, code, challenge: headers.get('www-authenticate') }).toEqual({
      status: 401,
      code: 'UNAUTHENTICATED',
      challenge,
    });
  });

  it('answers 401 as application/json whatever Accept says, with no-store and the trace', async () => {
    const { headers, body } = await gateway.post(operation, { Accept: 'application/graphql-response+json' });
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body.errors?.[0]?.extensions.traceId).toBe(headers.get('apollo-trace-id'));
  });

  it('answers 401 to an expired token', async () => {
    const authorization = `Bearer ${await identity.token({ ttlSeconds: -3600 })}`;
    expect((await gateway.post(operation, { authorization })).status).toBe(401);
  });

  it('authenticates after the checks of the header', async () => {
    expect((await gateway.post('{', { 'Content-Type': 'text/plain' })).status).toBe(415);
  });

  it('authenticates before it parses the body', async () => {
    expect((await gateway.post('{')).status).toBe(401);
  });

  it('authenticates before it reads a byte of the body', async () => {
    const sent = request(gateway.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Length': '1000' },
    });
    sent.flushHeaders();
    // The body never arrives.
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(401);
    sent.destroy();
  });

  it('authenticates before it reads the operation', async () => {
    expect((await gateway.post({ query: '{' })).status).toBe(401);
  });
});

describe('The gateway without authorization.require_authentication', () => {
  const gateway = useInSuite(() => startTestGateway({ config: jwt, env }));

  it('takes a caller without a token as anonymous', async () => {
    expect((await gateway.post({ query: 'query Time { time }' })).body).toEqual({ data: { time: 'now' } });
  });

  it('answers 401 to a bad token all the same', async () => {
    expect((await gateway.post(operation, { authorization: 'Bearer abc' })).status).toBe(401);
  });
});

describe('The gateway while the JWKS is unavailable', () => {
  it('answers 503 with Retry-After, never 401, to a token that it cannot verify', async () => {
    await using gateway = await startTestGateway({
      config: jwt,
      env: { ...env, JWKS_URL: 'file:///nowhere/jwks.json' },
    });
    const authorization = `Bearer ${await identity.token()}`;
    const { status, code, headers } = await gateway.post(operation, { authorization });
    expect({ status, code }).toEqual({ status: 503, code: 'SERVICE_UNAVAILABLE' });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('The gateway without authentication', () => {
  it('takes every caller as anonymous, whatever they send', async () => {
    await using gateway = await startTestGateway();
    const { body } = await gateway.post({ query: 'query Time { time }' }, { authorization: 'Bearer abc' });
    expect(body).toEqual({ data: { time: 'now' } });
  });
});
