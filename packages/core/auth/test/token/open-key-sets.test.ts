import { describe, expect, it } from '@jest/globals';
import { createTokenVerifier } from '@meridian/auth';
import type { TokenVerifier } from '@meridian/auth';
import { invalidToken, unavailable } from '../support/problems.ts';
import { createSigner, startSeconds } from '../support/signer.ts';

const named = {
  issuer: 'https://named.example',
  audience: 'meridian',
  jwksUrl: 'https://named.example/jwks.json',
};
const tenants = new Map([['https://tenant-of.example', ['acme']]]);
const first = { audience: 'meridian', jwksUrl: 'https://first.example/jwks.json', tenants };
const second = { audience: 'meridian', jwksUrl: 'https://second.example/jwks.json', tenants };

const origins = ['https://named.example', 'https://first.example', 'https://second.example'] as const;
const signers = Object.fromEntries(origins.map((origin) => [origin, createSigner('ES256', 'same')]));

/** A verifier whose JWKS at `down` do not answer. */
function verifierOf({ down = [] }: { readonly down?: readonly string[] } = {}): TokenVerifier {
  return createTokenVerifier({
    issuers: [named],
    openKeySets: [first, second],
    now: () => startSeconds * 1000,
    async fetch(url) {
      await Promise.resolve();
      const { origin } = new URL(new Request(url).url);
      if (down.includes(origin)) {
        throw new TypeError('fetch failed');
      }
      return Response.json({ keys: [signers[origin]?.jwk] });
    },
  });
}

function tokenBy(origin: (typeof origins)[number], claims: Readonly<Record<string, unknown>>): string {
  return signers[origin]?.token(claims) ?? '';
}

describe('A key set without issuers', () => {
  it("accepts a token of any issuer, which is part of the caller's identity", async () => {
    const callers = await Promise.all(
      ['https://one.example', 'https://two.example'].map((iss) =>
        verifierOf().verify(tokenBy('https://second.example', { iss })),
      ),
    );
    expect(callers.map(({ issuer, subject }) => [issuer, subject])).toEqual([
      ['https://one.example', 'alice'],
      ['https://two.example', 'alice'],
    ]);
  });

  it('cannot sign for an issuer that another key set names', async () => {
    const token = tokenBy('https://first.example', { iss: named.issuer });
    await expect(verifierOf().verify(token)).rejects.toMatchObject(invalidToken);
  });

  it('refuses tokens that none of its keys has signed', async () => {
    const token = tokenBy('https://named.example', { iss: 'https://one.example' });
    await expect(verifierOf().verify(token)).rejects.toMatchObject({
      ...invalidToken,
      detail: 'The signature of the token does not verify.',
    });
  });

  it('accepts a token without iss, whose issuer is then the URL of the key set', async () => {
    const issuerOf = async (origin: (typeof origins)[number]): Promise<string> =>
      (await verifierOf().verify(tokenBy(origin, { iss: undefined }))).issuer;
    expect(
      await Promise.all([issuerOf('https://first.example'), issuerOf('https://second.example')]),
    ).toEqual([first.jwksUrl, second.jwksUrl]);
  });

  it('still requires its audience', async () => {
    const token = tokenBy('https://first.example', { iss: 'https://one.example', aud: 'another' });
    await expect(verifierOf().verify(token)).rejects.toMatchObject(invalidToken);
  });

  it('lets an issuer name only its own tenants, when these are configured', async () => {
    const verify = async (iss: string, tenant: string): Promise<unknown> =>
      await verifierOf().verify(tokenBy('https://first.example', { iss, tenant_id: tenant }));
    await expect(verify('https://tenant-of.example', 'acme')).resolves.toMatchObject({ tenantId: 'acme' });
    await expect(verify('https://one.example', 'globex')).resolves.toMatchObject({ tenantId: 'globex' });
    await expect(verify('https://tenant-of.example', 'globex')).rejects.toMatchObject(invalidToken);
  });

  it("does not affect another key set's tokens when it is unavailable", async () => {
    const verifier = verifierOf({ down: ['https://first.example'] });
    const token = tokenBy('https://second.example', { iss: 'https://one.example' });
    await expect(verifier.verify(token)).resolves.toMatchObject({ issuer: 'https://one.example' });
    const unknown = tokenBy('https://first.example', { iss: 'https://one.example' });
    await expect(verifier.verify(unknown)).rejects.toMatchObject(unavailable(1));
  });
});
