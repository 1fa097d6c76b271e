import type { OpenKeySet, TrustedIssuer } from '@meridian/auth';
import { jwksUrl } from '@meridian/auth';
import type { RouterConfig } from '@meridian/router-config';

import type { GatewayEnvironment } from './gateway-environment.ts';

/** The issuers whose tokens are accepted. */
export interface TrustedKeys {
  readonly issuers: readonly TrustedIssuer[];
  /** Key sets that name no issuer. */
  readonly openKeySets: readonly OpenKeySet[];
}

/**
 * Reads the issuers that `authentication.router.jwt` trusts. As in Apollo Router, a token needs `exp`, `iss` where the
 * file names issuers, and `aud` where it names audiences; a key set that names no issuer accepts tokens of every issuer.
 *
 * Contract: Identity.
 */
export function readTrustedKeys(
  { authentication, meridian }: RouterConfig,
  { mode, JWT_ISSUER, JWT_AUDIENCE }: Pick<GatewayEnvironment, 'mode' | 'JWT_ISSUER' | 'JWT_AUDIENCE'>,
): TrustedKeys & { readonly faults: readonly string[]; readonly notes: readonly string[] } {
  const {
    tenants,
    tenant_claim: tenantClaim = null,
    required_claims: requiredClaims,
    plain_http_hosts: plainHttpHosts,
  } = meridian.authentication;
  const issuers: TrustedIssuer[] = [];
  const openKeySets: OpenKeySet[] = [];
  const faults: string[] = [];
  const notes: string[] = [];
  for (const [index, keySet] of (authentication?.router?.jwt.jwks ?? []).entries()) {
    const { url, audiences: audience = JWT_AUDIENCE, algorithms } = keySet;
    const path = `authentication.router.jwt.jwks[${index}]`;
    const common = {
      audience,
      jwksUrl: url,
      plainHttpHosts,
      algorithms,
      tenantClaim,
      requiredClaims,
      policiesClaim: meridian.authorization.policies_claim,
    };
    if (jwksUrl.parse(url, mode, { plainHttpHosts, areFilesAllowed: true }) === undefined) {
      faults.push(urlFault(path, url));
    }
    const names = keySet.issuers ?? (JWT_ISSUER === undefined ? [] : [JWT_ISSUER]);
    issuers.push(...names.map((issuer) => ({ ...common, issuer, tenants: tenants.get(issuer) })));
    if (names.length === 0) {
      openKeySets.push({ ...common, tenants });
      notes.push(
        `${path} names no issuers, so it accepts tokens of every issuer; list them in ${path}.issuers`,
      );
    }
  }
  if (new Set(issuers.map(({ issuer }) => issuer)).size < issuers.length) {
    faults.push('authentication.router.jwt.jwks: an issuer is listed twice');
  }
  return { issuers, openKeySets, faults, notes };
}

function urlFault(path: string, url: string): string {
  const { protocol, hostname } = URL.parse(url) ?? {};
  const otherwise =
    protocol === 'http:'
      ? `; or set meridian.authentication.plain_http_hosts: [${hostname}] if responses of ${hostname} cannot be changed on their way here`
      : '';
  return `${path}.url: takes an https:// or file:// URL without credentials, or in development also an http:// URL on loopback${otherwise}`;
}
