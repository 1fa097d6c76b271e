import { hash } from 'node:crypto';

import type { JWTPayload } from 'jose';
import type { Caller } from '../caller.ts';
import { invalidToken } from '../problems.ts';
import type { TrustedIssuer } from '../trusted-issuer.ts';

/**
 * Names are short and printable: they become parts of keys, of log lines and of texts in PostgreSQL, which cannot hold
 * NUL.
 */
const name = /^[^\p{Cc}\p{Cs}]{1,255}$/u;

/** Everything beside the claims of a token that its caller depends on. */
export interface CallerRules extends Pick<TrustedIssuer, 'policiesClaim' | 'keptClaims'> {
  /** The issuer of a token without `iss`. */
  readonly fallbackIssuer: string;
  /** `null`: the issuer is the tenant. */
  readonly tenantClaim: string | null;
  /** The tenants that an issuer may name; `undefined`: any. */
  readonly tenantsOf: (issuer: string) => readonly string[] | undefined;
}

/**
 * The caller of a token, by its verified claims.
 *
 * @throws {Problem} `invalid-token` when a claim is malformed, or names a tenant that the issuer may not name
 */
export function callerFromClaims(token: string, claims: JWTPayload, rules: CallerRules): Caller {
  const issuer = claims.iss === undefined ? rules.fallbackIssuer : readName(claims, 'iss');
  const tenantId = rules.tenantClaim === null ? issuer : readName(claims, rules.tenantClaim);
  if (rules.tenantClaim !== null && !(rules.tenantsOf(issuer)?.includes(tenantId) ?? true)) {
    throw invalidToken('The token names a tenant that its issuer may not name.');
  }
  return Object.freeze({
    tenantId,
    ...subjectOf(token, claims),
    issuer,
    scopes: readScopes(claims),
    ...readPolicies(claims[rules.policiesClaim ?? 'policies']),
    ...keptOf(claims, rules.keptClaims),
    expiresAt: readExpiry(claims),
  });
}

/** Without `sub`, two tokens may be of two callers, who must share nothing: each is a caller of its own. */
function subjectOf(token: string, claims: JWTPayload): Pick<Caller, 'subject' | 'isSubjectDerived'> {
  return claims.sub === undefined
    ? { subject: `sha256:${hash('sha256', token, 'base64url')}`, isSubjectDerived: true }
    : { subject: readName(claims, 'sub') };
}

function readName(claims: JWTPayload, claim: string): string {
  const value = claims[claim];
  if (typeof value !== 'string' || !name.test(value)) {
    throw invalidToken(`The claim ${claim} of the token does not hold a name of 1 to 255 characters.`);
  }
  return value;
}

/**
 * RFC 9068 §2.2.3: a list in one string, separated by spaces. Some issuers write an array. A token without it has no
 * scopes.
 */
function readScopes({ scope = '' }: JWTPayload): ReadonlySet<string> {
  const scopes: unknown = typeof scope === 'string' ? scope.split(' ') : scope;
  if (!Array.isArray(scopes) || !scopes.every((each) => typeof each === 'string')) {
    throw invalidToken(
      'The claim scope of the token holds neither a list in one string nor an array of strings.',
    );
  }
  return new Set(scopes.filter((each) => each !== ''));
}

/** A list, or one string in the format of scopes. Any other value grants nothing. */
function readPolicies(claim: unknown): Pick<Caller, 'policies'> {
  const names = typeof claim === 'string' ? claim.split(' ') : claim;
  const policies = (Array.isArray(names) ? names : []).filter(
    (each: unknown): each is string => typeof each === 'string' && each !== '',
  );
  return policies.length === 0 ? {} : { policies: new Set(policies) };
}

function keptOf(claims: JWTPayload, names: CallerRules['keptClaims'] = []): Pick<Caller, 'claims'> {
  if (names === 'all') {
    return { claims: new Map(Object.entries(claims)) };
  }
  return names.length === 0 ? {} : { claims: new Map(names.map((each) => [each, claims[each]])) };
}

function readExpiry({ exp }: JWTPayload): number {
  if (exp === undefined) {
    throw invalidToken('The token lacks the claim exp.');
  }
  return exp;
}
