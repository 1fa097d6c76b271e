import { describe, expect, it } from '@jest/globals';
import { createTokenVerifier } from '@meridian/auth';
import type { TokenVerifier } from '@meridian/auth';
import { unavailable } from '../support/problems.ts';
import { createSigner, startSeconds } from '../support/signer.ts';

const issuer = 'https://issuer.example/realm';
const signer = createSigner();
const token = signer.token({ iss: issuer });
const document = { issuer, jwks_uri: 'https://keys.example/jwks' };

function verifierOf(found: unknown, requested: string[] = [], name = issuer): TokenVerifier {
  return createTokenVerifier({
    issuers: [{ issuer: name, audience: 'meridian', jwksUrl: name, isDiscovered: true }],
    now: () => startSeconds * 1000,
    fetch: (url) => {
      requested.push(new Request(url).url);
      return Promise.resolve(Response.json(requested.length === 1 ? found : { keys: [signer.jwk] }));
    },
  });
}

describe('A discovered issuer', () => {
  it('has its key set where its OpenID configuration says', async () => {
    const requested: string[] = [];
    await expect(verifierOf(document, requested).verify(token)).resolves.toMatchObject({ issuer });
    expect(requested).toEqual([`${issuer}/.well-known/openid-configuration`, document.jwks_uri]);
  });

  it('may end with a slash', async () => {
    const requested: string[] = [];
    const name = `${issuer}/`;
    await verifierOf({ ...document, issuer: name }, requested, name).verify(signer.token({ iss: name }));
    expect(requested[0]).toBe(`${issuer}/.well-known/openid-configuration`);
  });

  it.each([
    ['names another issuer', { ...document, issuer: 'https://other.example' }],
    ['names the issuer with a slash more', { ...document, issuer: `${issuer}/` }],
    ['has no key set', { issuer }],
    ['has a key set over plain HTTP', { ...document, jwks_uri: 'http://keys.example/jwks' }],
    ['has a key set in a file', { ...document, jwks_uri: 'file:///etc/passwd' }],
    ['is a list', [document]],
  ])('is unavailable where the document %s', async (_case, found) => {
    const requested: string[] = [];
    await expect(verifierOf(found, requested).verify(token)).rejects.toMatchObject(unavailable(1));
    expect(requested).toHaveLength(1);
  });
});
