import { describe, expect, it } from '@jest/globals';
import { createTokenVerifier } from '@meridian/auth';
import { invalidToken } from '../support/problems.ts';
import { createSigner, startSeconds } from '../support/signer.ts';

const first = {
  issuer: 'https://first.example',
  audience: 'meridian',
  jwksUrl: 'https://first.example/jwks.json',
  tenants: ['acme'],
};
const second = {
  issuer: 'https://second.example',
  audience: 'meridian-by-second',
  jwksUrl: new URL('https://second.example/jwks.json'),
  tenants: ['acme', 'globex'],
};
const anyTenant = {
  issuer: 'https://any.example',
  audience: 'meridian',
  jwksUrl: 'https://any.example/jwks.json',
};

// The same kid everywhere: it is unique only within one issuer's keys.
const signers = new Map(
  [first, second, anyTenant].map(({ issuer }) => [issuer, createSigner('ES256', 'same')]),
);

const verifier = createTokenVerifier({
  issuers: [first, second, anyTenant],
  now: () => startSeconds * 1000,
  fetch: async (url) => {
    await Promise.resolve();
    return Response.json({ keys: [signers.get(new URL(new Request(url).url).origin)?.jwk] });
  },
});

describe('TokenVerifier.verify with several issuers', () => {
  it.each([
    [first, 'acme'],
    [second, 'acme'],
    [second, 'globex'],
    [anyTenant, 'initech'],
  ])('accepts %j for the tenant %s', async ({ issuer, audience }, tenantId) => {
    const token = tokenBy(issuer, { iss: issuer, aud: audience, tenant_id: tenantId });
    await expect(verifier.verify(token)).resolves.toMatchObject({ issuer, tenantId });
  });

  it("refuses an issuer that names another issuer's tenant", async () => {
    const token = tokenBy(first.issuer, { iss: first.issuer, tenant_id: 'globex' });
    await expect(verifier.verify(token)).rejects.toMatchObject({
      ...invalidToken,
      detail: 'The token names a tenant that its issuer may not name.',
    });
  });

  it('refuses a token that claims another issuer', async () => {
    const token = tokenBy(first.issuer, { iss: second.issuer, aud: second.audience, tenant_id: 'globex' });
    await expect(verifier.verify(token)).rejects.toMatchObject(invalidToken);
  });

  it("refuses the audience of one issuer in another's token", async () => {
    const token = tokenBy(first.issuer, { iss: first.issuer, aud: second.audience });
    await expect(verifier.verify(token)).rejects.toMatchObject(invalidToken);
  });

  it.each(['https://stranger.example', '__proto__', ''])('refuses the unknown issuer %j', async (iss) => {
    await expect(verifier.verify(tokenBy(first.issuer, { iss }))).rejects.toMatchObject(invalidToken);
  });

  it('keeps two callers of the same sub apart', async () => {
    const callers = await Promise.all(
      [first, second].map(({ issuer, audience }) =>
        verifier.verify(tokenBy(issuer, { iss: issuer, aud: audience })),
      ),
    );
    expect(callers.map(({ issuer, subject }) => `${issuer} ${subject}`)).toEqual([
      'https://first.example alice',
      'https://second.example alice',
    ]);
  });
});

describe('An issuer with two entries', () => {
  it('has the tokens of both verified, each by its own key set and audience', async () => {
    const other = { ...first, audience: 'other', jwksUrl: second.jwksUrl };
    const both = createTokenVerifier({
      issuers: [first, other],
      now: () => startSeconds * 1000,
      fetch: (url) =>
        Promise.resolve(Response.json({ keys: [signers.get(new URL(new Request(url).url).origin)?.jwk] })),
    });
    const tokens = [
      tokenBy(first.issuer, { iss: first.issuer }),
      tokenBy(second.issuer, { iss: first.issuer, aud: 'other' }),
    ];
    await expect(Promise.all(tokens.map((token) => both.verify(token)))).resolves.toHaveLength(2);
    const mixed = tokenBy(second.issuer, { iss: first.issuer });
    await expect(both.verify(mixed)).rejects.toMatchObject(invalidToken);
  });
});

describe('createTokenVerifier', () => {
  it('refuses no issuer', () => {
    expect(() => createTokenVerifier({ issuers: [] })).toThrow(
      new TypeError('Cannot create a token verifier: it takes at least one issuer'),
    );
  });

  it('refuses a JWKS that comes by plain HTTP from another machine', () => {
    const issuers = [{ ...first, jwksUrl: 'http://first.example/jwks.json' }];
    expect(() => createTokenVerifier({ issuers })).toThrow(
      'Cannot create a token verifier: the JWKS of https://first.example is not at an https:// URL',
    );
  });
});

function tokenBy(issuer: string, claims: Readonly<Record<string, unknown>>): string {
  const signer = signers.get(issuer);
  if (signer === undefined) {
    throw new Error(`No signer for ${issuer}`);
  }
  return signer.token(claims);
}
