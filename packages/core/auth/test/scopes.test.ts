import { describe, expect, it } from '@jest/globals';
import { allScopes, assertScope } from '@meridian/auth';
import type { Caller } from '@meridian/auth';

const caller: Caller = {
  tenantId: 'acme',
  subject: 'alice',
  issuer: 'https://issuer.example',
  scopes: new Set(['accounts:read']),
  expiresAt: 1_800_000_000,
};

describe('assertScope', () => {
  it('lets a caller with the scope pass', () => {
    expect(() => assertScope(caller, 'accounts:read')).not.toThrow();
  });

  it('throws insufficient-scope, with a challenge that names the scope, for one without', () => {
    expect(() => assertScope(caller, 'accounts:write')).toThrow(
      expect.objectContaining({
        kind: 'insufficient-scope',
        status: 403,
        detail: 'The token lacks the scope accounts:write.',
        headers: {
          'WWW-Authenticate': 'Bearer realm="meridian", error="insufficient_scope", scope="accounts:write"',
        },
      }),
    );
  });
});

describe('allScopes', () => {
  it('lists the scopes of the contract', () => {
    expect(allScopes).toEqual([
      'accounts:read',
      'accounts:write',
      'transfers:write',
      'events:read',
      'webhooks:read',
      'webhooks:write',
      'orders:read',
      'orders:write',
      'reviews:write',
      'products:write',
    ]);
  });
});
