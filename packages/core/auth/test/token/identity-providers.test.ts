// Access tokens with the claims that the manuals of identity providers list.
import { describe, expect, it } from '@jest/globals';
import { createTokenVerifier } from '@meridian/auth';
import type { Caller, TrustedIssuer } from '@meridian/auth';
import { Problem } from '@meridian/problem-details';
import { invalidToken } from '../support/problems.ts';
import { createSigner, startSeconds } from '../support/signer.ts';
import type { Json, Signer } from '../support/signer.ts';

const times = { iat: startSeconds - 60, exp: startSeconds + 3540 };

interface ProviderToken {
  readonly header?: Json;
  readonly claims: Json & { readonly iss: string };
  /** The claim that tells tenants apart at this provider. */
  readonly tenantClaim: string;
  readonly tenant: string;
  readonly subject: string;
  readonly scopes: readonly string[];
}

const providers: Readonly<Record<string, ProviderToken>> = {
  'Auth0, its own profile': {
    header: { typ: 'JWT' },
    claims: {
      iss: 'https://shop.eu.auth0.com/',
      sub: 'auth0|65a1',
      aud: ['https://graph.example', 'https://shop.eu.auth0.com/userinfo'],
      ...times,
      scope: 'openid profile products:read',
      org_id: 'org_9Jb2',
      azp: 'my_client_id',
    },
    tenantClaim: 'org_id',
    tenant: 'org_9Jb2',
    subject: 'auth0|65a1',
    scopes: ['openid', 'profile', 'products:read'],
  },
  'Auth0, the profile of RFC 9068': {
    header: { typ: 'at+jwt' },
    claims: {
      iss: 'https://shop.eu.auth0.com/',
      sub: 'my_client_id@clients',
      aud: 'https://graph.example',
      ...times,
      jti: 'wGq1',
      client_id: 'my_client_id',
      'https://shop.example/tenant': 'acme',
    },
    tenantClaim: 'https://shop.example/tenant',
    tenant: 'acme',
    subject: 'my_client_id@clients',
    scopes: [],
  },
  'Amazon Cognito, without aud': {
    claims: {
      sub: 'aaaaaaaa-bbbb-cccc-dddd-example',
      'cognito:groups': ['buyers'],
      iss: 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_example',
      version: 2,
      client_id: 'xxxxexample',
      origin_jti: 'aaaa',
      event_id: 'bbbb',
      token_use: 'access',
      scope: 'graph/products.read openid',
      auth_time: startSeconds - 60,
      ...times,
      jti: 'cccc',
      username: 'my-test-user',
      'custom:tenant': 'acme',
    },
    tenantClaim: 'custom:tenant',
    tenant: 'acme',
    subject: 'aaaaaaaa-bbbb-cccc-dddd-example',
    scopes: ['graph/products.read', 'openid'],
  },
  'Microsoft Entra, version 2.0': {
    header: { typ: 'JWT' },
    claims: {
      aud: '6e74172b-be56-4843-9ff4-e66a39bb12e3',
      iss: 'https://login.microsoftonline.com/72f988bf-0000-0000-0000-2d7cd011db47/v2.0',
      ...times,
      nbf: startSeconds - 60,
      azp: '6e74172b-be56-4843-9ff4-e66a39bb12e3',
      azpacr: '0',
      name: 'Abe Lincoln',
      oid: '690222be-ff1a-4d56-abd1-7e4f7d38e474',
      rh: 'I',
      scp: 'access_as_user',
      sub: 'HKZpfaHyWadeOouYlitjrI-KffTm222X5rrV3xDqfKQ',
      tid: '72f988bf-0000-0000-0000-2d7cd011db47',
      uti: 'fqiBqXLPj0eQa82S-IYFAA',
      ver: '2.0',
    },
    tenantClaim: 'tid',
    tenant: '72f988bf-0000-0000-0000-2d7cd011db47',
    subject: 'HKZpfaHyWadeOouYlitjrI-KffTm222X5rrV3xDqfKQ',
    // Entra writes scopes to `scp`.
    scopes: [],
  },
  Keycloak: {
    header: { typ: 'JWT' },
    claims: {
      ...times,
      auth_time: startSeconds - 70,
      jti: 'onrtac:7c2f',
      iss: 'https://id.example/realms/shop',
      aud: ['graph', 'account'],
      sub: '1f6b9a52-8f0c-4a5a-9b51-1a7cf9cf2a3e',
      typ: 'Bearer',
      azp: 'web',
      sid: '0d7e',
      acr: '1',
      'allowed-origins': ['https://shop.example'],
      realm_access: { roles: ['offline_access', 'uma_authorization'] },
      resource_access: { account: { roles: ['manage-account'] } },
      scope: 'profile email',
      email_verified: true,
      preferred_username: 'alice',
      tenant: 'acme',
    },
    tenantClaim: 'tenant',
    tenant: 'acme',
    subject: '1f6b9a52-8f0c-4a5a-9b51-1a7cf9cf2a3e',
    scopes: ['profile', 'email'],
  },
};

const signer = createSigner('RS256');
const routersRule = { audience: undefined, tenantClaim: null, requiredClaims: [] };

describe.each(Object.entries(providers))('A token of %s', (_name, provider) => {
  const { header, claims, tenantClaim, tenant, subject, scopes } = provider;

  it("is accepted by Apollo Router's rule: all callers of the issuer are one tenant", async () => {
    await expect(verify(claims, { header, rule: routersRule })).resolves.toEqual({
      issuer: claims.iss,
      subject,
      tenantId: claims.iss,
      scopes: new Set(scopes),
      expiresAt: times.exp,
    });
  });

  it('names its tenant in the claim that the operator says', async () => {
    const rule = { ...routersRule, tenantClaim };
    await expect(verify(claims, { header, rule })).resolves.toMatchObject({ tenantId: tenant, subject });
    await expect(verify({ ...claims, [tenantClaim]: undefined }, { header, rule })).rejects.toMatchObject({
      ...invalidToken,
      detail: `The token lacks the claim ${tenantClaim}.`,
    });
  });

  it('needs one of the audiences where the operator names them', async () => {
    const [ownAudience] = [claims['aud'] ?? []].flat();
    const outcomes = [ownAudience ?? 'graph', 'third'].map((audience: unknown) =>
      outcomeOf(claims, { header, rule: { ...routersRule, audience: ['another', String(audience)] } }),
    );
    expect(await Promise.all(outcomes)).toEqual(
      ownAudience === undefined
        ? ['The token lacks the claim aud.', 'The token lacks the claim aud.']
        : [subject, 'The token is for another audience.'],
    );
  });
});

describe('A token without sub', () => {
  const { iss } = providers['Keycloak']?.claims ?? { iss: '' };
  const claims = { iss, exp: times.exp };

  it('is of a caller of its own: two of them are never one caller, one of them always is', async () => {
    const [one, again, other] = ['a', 'a', 'b'].map((jti) => ({ iss, exp: times.exp, jti }));
    // Unlike ES256, it signs equal claims equally.
    const ed25519 = createSigner('EdDSA');
    const callerOf = async (held: Json = {}): Promise<Caller> =>
      await verify(held, { rule: routersRule, by: ed25519 });
    expect((await callerOf(one)).subject).toBe((await callerOf(again)).subject);
    expect((await callerOf(one)).subject).not.toBe((await callerOf(other)).subject);
    expect(await callerOf(one)).toMatchObject({ isSubjectDerived: true, tenantId: iss });
  });

  it('is refused where the operator requires sub', async () => {
    await expect(verify(claims, { rule: { ...routersRule, requiredClaims: ['sub'] } })).rejects.toMatchObject(
      {
        ...invalidToken,
        detail: 'The token lacks the claim sub.',
      },
    );
  });
});

describe('The algorithms of a key set', () => {
  it.each([
    [['RS256', 'ES256'], providers['Keycloak']?.subject],
    [['ES256'], 'The token is signed with an algorithm that is not accepted.'],
    [['HS256'], 'The token is signed with an algorithm that is not accepted.'],
  ])('limit the algorithms of its tokens, here RS256: %j', async (algorithms, outcome) => {
    const claims = providers['Keycloak']?.claims ?? {};
    expect(await outcomeOf(claims, { rule: { ...routersRule, algorithms } })).toBe(outcome);
  });
});

interface Verifying {
  readonly header?: Json | undefined;
  readonly rule: Omit<TrustedIssuer, 'issuer' | 'jwksUrl'>;
  readonly by?: Signer;
}

/** Verifies a token with exactly these claims, trusting its issuer by the rule. */
async function verify(claims: Json, { header = {}, rule, by = signer }: Verifying): Promise<Caller> {
  const issuer = String(claims['iss']);
  const verifier = createTokenVerifier({
    issuers: [{ issuer, jwksUrl: 'https://keys.example/jwks.json', ...rule }],
    now: () => startSeconds * 1000,
    fetch: async () => await Promise.resolve(Response.json({ keys: [by.jwk] })),
  });
  const none = { iss: undefined, aud: undefined, sub: undefined, tenant_id: undefined };
  return await verifier.verify(by.token({ ...none, scope: undefined, nbf: undefined, ...claims }, header));
}

/** The subject of a valid token, the reason against another. */
async function outcomeOf(claims: Json, verifying: Verifying): Promise<unknown> {
  return await verify(claims, verifying).then(
    ({ subject }) => subject,
    (error: unknown) => (error instanceof Problem ? error.detail : error),
  );
}
