import type { JWTPayload } from 'jose';
import type { Caller } from '../caller.ts';
import { invalidToken } from '../problems.ts';
import type { TrustedIssuer } from '../trusted-issuer.ts';

/**
 * Names are short and printable: they become parts of keys, of log lines and of texts in PostgreSQL, which cannot hold
 * NUL.
 */
const name = /^[^\p{Cc}\p{Cs}]{1,255}$/u;

/**
 * The caller of verified claims.
 *
 * @throws {Problem} `invalid-token` when a claim is malformed, or names a tenant that the issuer may not name
 */
export function callerFromClaims(
  claims: JWTPayload,
  {
    issuer,
    tenants,
    policiesClaim = 'policies',
  }: Pick<TrustedIssuer, 'issuer' | 'tenants' | 'policiesClaim'>,
): Caller {
  const tenantId = readName(claims, 'tenant_id');
  if (tenants !== undefined && !tenants.includes(tenantId)) {
    throw invalidToken('The token names a tenant that its issuer may not name.');
  }
  return Object.freeze({
    tenantId,
    subject: readName(claims, 'sub'),
    issuer,
    scopes: readScopes(claims),
    ...readPolicies(claims[policiesClaim]),
    expiresAt: readExpiry(claims),
  });
}

function readName(claims: JWTPayload, claim: 'tenant_id' | 'sub'): string {
  const value = claims[claim];
  if (typeof value !== 'string' || !name.test(value)) {
    throw invalidToken(`The claim ${claim} of the token does not hold a name of 1 to 255 characters.`);
  }
  return value;
}

/** RFC 9068 §2.2.3: a list in one string, separated by spaces. A token without it has no scopes. */
function readScopes({ scope = '' }: JWTPayload): ReadonlySet<string> {
  if (typeof scope !== 'string') {
    throw invalidToken('The claim scope of the token does not hold a list in one string.');
  }
  return new Set(scope.split(' ').filter((each) => each !== ''));
}

/** A list, or one string in the format of scopes. Any other value grants nothing. */
function readPolicies(claim: unknown): Pick<Caller, 'policies'> {
  const names = typeof claim === 'string' ? claim.split(' ') : claim;
  const policies = (Array.isArray(names) ? names : []).filter(
    (each: unknown): each is string => typeof each === 'string' && each !== '',
  );
  return policies.length === 0 ? {} : { policies: new Set(policies) };
}

function readExpiry({ exp }: JWTPayload): number {
  if (exp === undefined) {
    throw invalidToken('The token lacks the claim exp.');
  }
  return exp;
}
