import { describe, expect, it } from '@jest/globals';
import { EnvironmentError } from '@meridian/settings/environment';
import { readServiceConfig } from '@meridian/service';

const defaults = { port: 4002, adminPort: 8082, requestDeadlineMs: 4000 };

const env = {
  DATABASE_URL: 'postgresql://products@db.example/meridian_products',
  JWKS_URL: 'https://id.example/jwks.json',
  JWT_ISSUER: 'https://id.example',
  PROBLEM_BASE_URL: 'https://api.example',
};

const twoIssuers = {
  JWT_ISSUER: 'https://id.example, https://partner.example',
  JWKS_URL: 'https://id.example/jwks.json,https://partner.example/keys?of=a,b',
  JWT_TENANTS: 'acme globex, initech',
};

describe('The configuration of a service', () => {
  it('trusts one issuer with every tenant', () => {
    expect(configOf({}).issuers).toEqual([
      {
        issuer: 'https://id.example',
        audience: 'meridian',
        jwksUrl: new URL('https://id.example/jwks.json'),
        tenants: undefined,
      },
    ]);
  });

  it('trusts one issuer with the tenants that it may name', () => {
    expect(configOf({ JWT_TENANTS: 'acme' }).issuers).toMatchObject([{ tenants: ['acme'] }]);
  });

  it('trusts several issuers, each with its own keys and tenants', () => {
    expect(configOf({ ...twoIssuers, JWT_AUDIENCE: 'accounts' }).issuers).toEqual([
      {
        issuer: 'https://id.example',
        audience: 'accounts',
        jwksUrl: new URL('https://id.example/jwks.json'),
        tenants: ['acme', 'globex'],
      },
      {
        issuer: 'https://partner.example',
        audience: 'accounts',
        jwksUrl: new URL('https://partner.example/keys?of=a,b'),
        tenants: ['initech'],
      },
    ]);
  });

  it.each([
    [
      'several issuers without their tenants',
      { ...twoIssuers, JWT_TENANTS: '' },
      /^JWT_TENANTS is not set, and is required with several issuers; it takes /,
    ],
    ['tenants of one of two issuers', { ...twoIssuers, JWT_TENANTS: 'acme' }, /^JWT_TENANTS holds 1 /],
    [
      'an issuer without tenants',
      { ...twoIssuers, JWT_TENANTS: 'acme,' },
      /^JWT_TENANTS holds "acme,"; it takes /,
    ],
    [
      'an issuer without keys',
      { ...twoIssuers, JWKS_URL: env.JWKS_URL },
      /^JWKS_URL holds 1 where JWT_ISSUER holds 2; it takes one for each issuer$/,
    ],
    [
      'an issuer twice',
      { ...twoIssuers, JWT_ISSUER: 'https://a,https://a' },
      /^JWT_ISSUER names an issuer twice$/,
    ],
    [
      'keys by plain HTTP, of whichever issuer',
      { ...twoIssuers, JWKS_URL: 'https://id.example/jwks.json,http://partner.example/keys' },
      /^JWKS_URL holds "https:.*"; it takes an https:\/\/ URL/,
    ],
    [
      'a malformed address to listen on',
      { HOST: 'http://here' },
      /^HOST holds "http:\/\/here"; it takes an IP address or a host name$/,
    ],
    [
      'problem pages with a password in their URL',
      { PROBLEM_BASE_URL: 'https://u:hunter2@api.example' },
      /^PROBLEM_BASE_URL holds "https:\/\/…@api\.example"; it takes a URL .* without credentials, query and fragment$/,
    ],
  ])('is refused in one line with %s', (_what, changes, fault) => {
    expect(faultsOf(changes)).toEqual([expect.stringMatching(fault)]);
  });
});

function configOf(changes: Readonly<Record<string, string>>) {
  return readServiceConfig({ ...env, ...changes }, defaults);
}

function faultsOf(changes: Readonly<Record<string, string>>): readonly string[] {
  try {
    configOf(changes);
    return [];
  } catch (error) {
    if (error instanceof EnvironmentError) {
      return error.faults;
    }
    throw error;
  }
}
