import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';

import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { listenOnLoopback } from '@meridian/testing';

import type { ClientSideResponse } from '../support/test-gateway.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';
import { useInSuite } from '../support/use-in-suite.ts';
import { attackedConfig, createRsaIssuer, goodClaims, unsignedToken } from './attacked-gateway.ts';

const issuer = useInSuite(createRsaIssuer);
const gateway = useTestGateway();
/** Publishes keys too: the attacker's. */
const lure = useInSuite(() =>
  listenOnLoopback((_request, response) => {
    lured += 1;
    response.end(JSON.stringify({ keys: [attackersJwk] }));
  }),
);
let lured = 0;

const attacker = generateKeyPairSync('rsa', { modulusLength: 2048 });
const attackersJwk = {
  ...attacker.publicKey.export({ format: 'jwk' }),
  kid: 'evil',
  alg: 'RS256',
  use: 'sig',
};
const query = { query: 'query Attack { time }' };

beforeAll(() =>
  gateway.start({
    config: attackedConfig,
    env: { NODE_ENV: 'development', JWKS_URL: issuer.jwksUrl, JWT_ISSUER: issuer.issuer },
  }),
);
afterEach(() => {
  gateway.products.reset();
});

async function send(token: string): Promise<ClientSideResponse> {
  return await gateway.post(query, { authorization: `Bearer ${token}` });
}

/** A token with the right claims, signed with a key of the attacker's. */
function signedByAttacker(header: object): string {
  const unsigned = unsignedToken({ alg: 'RS256', ...header }, goodClaims(issuer.issuer));
  return `${unsigned}.${createSign('RSA-SHA256').update(unsigned).sign(attacker.privateKey, 'base64url')}`;
}

/**
 * A token with an HMAC whose secret is the public key. A verifier that trusts the token's algorithm would accept it.
 */
function hmacWithPublicKey(format: 'pem' | 'jwk'): string {
  const secret =
    format === 'pem'
      ? issuer.publicKey.export({ type: 'spki', format: 'pem' })
      : JSON.stringify(issuer.publicKey.export({ format: 'jwk' }));
  const unsigned = unsignedToken({ alg: 'HS256', kid: issuer.kid }, goodClaims(issuer.issuer));
  return `${unsigned}.${createHmac('sha256', secret).update(unsigned).digest('base64url')}`;
}

describe('An attack with a token', () => {
  it('would be answered with data if the token were valid', async () => {
    expect((await send(issuer.sign())).body).toEqual({ data: { time: 'now' } });
  });

  const past = Math.floor(Date.now() / 1000) - 3600;
  const forged: readonly (readonly [string, () => string])[] = [
    ...['none', 'None', 'NONE', 'nOnE', ''].map(
      (alg) =>
        [
          `the algorithm ${JSON.stringify(alg)}, without a signature`,
          () => `${unsignedToken({ alg, kid: issuer.kid }, goodClaims(issuer.issuer))}.`,
        ] as const,
    ),
    ['an HMAC with the public key, as PEM, for a secret', () => hmacWithPublicKey('pem')],
    ['an HMAC with the public key, as JWK, for a secret', () => hmacWithPublicKey('jwk')],
    ['the algorithm of another type of key', () => issuer.sign({}, { alg: 'ES256' })],
    ['another algorithm for the same type of key', () => issuer.sign({}, { alg: 'PS256' })],
    ['another key under the known kid', () => signedByAttacker({ kid: issuer.kid })],
    ['another key without a kid', () => signedByAttacker({})],
    ['a kid that is a path', () => signedByAttacker({ kid: '../../../../../../dev/null' })],
    ['a kid that is SQL', () => signedByAttacker({ kid: "' UNION SELECT 'secret' -- " })],
    ['a kid that is a command', () => signedByAttacker({ kid: '$(touch owned)' })],
    ['a kid that is __proto__', () => signedByAttacker({ kid: '__proto__' })],
    ['a kid that is not a string', () => signedByAttacker({ kid: { a: 1 } })],
    ['a key set of its own, by jku', () => signedByAttacker({ kid: 'evil', jku: `${lure.url}/jwks.json` })],
    [
      'a certificate of its own, by x5u',
      () => signedByAttacker({ kid: 'evil', x5u: `${lure.url}/cert.pem` }),
    ],
    ['a key of its own, in the header', () => signedByAttacker({ jwk: attackersJwk })],
    ['an unknown critical extension', () => issuer.sign({}, { crit: ['exp'], exp: 1 })],
    ['the type of another kind of token', () => issuer.sign({}, { typ: 'secevent+jwt' })],
    ['an end that is past', () => issuer.sign({ exp: past })],
    ['no end', () => issuer.sign({ exp: undefined })],
    ['an exp that is not a number', () => issuer.sign({ exp: 'tomorrow' })],
    ['a beginning that is to come', () => issuer.sign({ nbf: past + 7200 })],
    ['another audience', () => issuer.sign({ aud: 'somebody-else' })],
    ['no audience', () => issuer.sign({ aud: undefined })],
    ['another issuer', () => issuer.sign({ iss: 'https://evil.example' })],
    ['no tenant', () => issuer.sign({ tenant_id: undefined })],
    ['a tenant that is not a string', () => issuer.sign({ tenant_id: ['acme', 'globex'] })],
    ['no subject', () => issuer.sign({ sub: undefined })],
    ['other claims under the signature of the first', () => exchangedClaims(issuer.sign())],
    ['a signature that is cut short', () => issuer.sign().slice(0, -4)],
    ['five parts', () => `${issuer.sign()}.a.b`],
    ['a text that is not a token', () => 'undefined'],
  ];

  it.each(forged)('is answered with 401, and reaches no subgraph: %s', async (_name, forge) => {
    const { status, code, headers, body } = await send(forge());
    expect({ status, code }).toEqual({ status: 401, code: 'UNAUTHENTICATED' });
    expect(headers.get('www-authenticate')).toContain('error="invalid_token"');
    // The response does not reveal valid values.
    expect(JSON.stringify(body)).not.toMatch(/acme|issuer\.example|RS256|the-key/);
    expect(gateway.products.received).toEqual([]);
  });

  it('does not make the gateway fetch a URL that the token names', () => {
    expect(lured).toBe(0);
  });

  it.each([
    ['two tokens in one field', () => `Bearer ${issuer.sign()}, Bearer ${issuer.sign()}`],
    ['another scheme', () => `Basic ${Buffer.from('alice:secret').toString('base64')}`],
    ['no scheme', () => issuer.sign()],
  ])('is answered with 401 when the Authorization field is malformed: %s', async (_name, field) => {
    const { status, code } = await gateway.post(query, { authorization: field() });
    expect({ status, code }).toEqual({ status: 401, code: 'UNAUTHENTICATED' });
    expect(gateway.products.received).toEqual([]);
  });

  it('leaves no token in the log', () => {
    expect(JSON.stringify(gateway.log)).not.toMatch(/eyJ[\w-]+\./);
  });
});

function exchangedClaims(token: string): string {
  const [header = '', , signature = ''] = token.split('.');
  const claims = { ...goodClaims(issuer.issuer), tenant_id: 'globex' };
  return [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
}
