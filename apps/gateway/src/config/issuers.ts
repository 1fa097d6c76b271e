import type { OpenKeySet, TrustedIssuer } from '@meridian/auth';
import { jwksUrl, takesSecret } from '@meridian/auth';
import type { RouterConfig } from '@meridian/router-config';

import type { GatewayEnvironment } from './gateway-environment.ts';

/** The issuers whose tokens are accepted. */
export interface TrustedKeys {
  readonly issuers: readonly TrustedIssuer[];
  /** Key sets that name no issuer. */
  readonly openKeySets: readonly OpenKeySet[];
}

/**
 * The issuers that `authentication.router.jwt` trusts. As in Apollo Router, a token needs `exp`, `iss` where the file
 * names issuers, and `aud` where it names audiences; a key set that names no issuer accepts tokens of every issuer.
 *
 * Contract: Identity.
 */
export function trustedKeys(file: RouterConfig, environment: GatewayEnvironment): TrustedKeys {
  const { authentication, authorization } = file.meridian;
  const keySets = keySetsOf(file).map((keySet) => ({
    names: issuersOf(keySet, environment),
    common: {
      audience: keySet.audiences ?? environment.JWT_AUDIENCE,
      jwksUrl: keySet.url,
      plainHttpHosts: authentication.plain_http_hosts,
      algorithms: keySet.algorithms,
      headers: Object.fromEntries(keySet.headers.map(({ name, value }) => [name, value])),
      refreshAgeMs: keySet.poll_interval,
      tenantClaim: authentication.tenant_claim ?? null,
      requiredClaims: authentication.required_claims,
      policiesClaim: authorization.policies_claim,
    },
  }));
  const { tenants } = authentication;
  return {
    issuers: keySets.flatMap(({ names, common }) =>
      names.map((issuer) => ({ ...common, issuer, tenants: tenants.get(issuer) })),
    ),
    openKeySets: keySets.flatMap(({ names, common }) => (names.length === 0 ? [{ ...common, tenants }] : [])),
  };
}

/** The faults of key sets, and notes on them. */
export function keySetChecks(
  file: RouterConfig,
  environment: GatewayEnvironment,
): { readonly faults: readonly string[]; readonly notes: readonly string[] } {
  const { plain_http_hosts: plainHttpHosts } = file.meridian.authentication;
  const options = { plainHttpHosts, areFilesAllowed: true };
  const keySets = keySetsOf(file).map((keySet, index) => ({
    path: `authentication.router.jwt.jwks[${index}]`,
    names: issuersOf(keySet, environment),
    isUrlAllowed: jwksUrl.parse(keySet.url, environment.mode, options) !== undefined,
    url: keySet.url,
    algorithms: keySet.algorithms ?? [],
  }));
  return {
    faults: [
      ...keySets.filter(({ isUrlAllowed }) => !isUrlAllowed).map(({ path, url }) => urlFault(path, url)),
      ...keySets
        .filter(({ url, algorithms }) => algorithms.some(takesSecret) && !url.startsWith('file:'))
        .map(
          ({ path, algorithms }) =>
            `${path}.algorithms: ${algorithms.find(takesSecret)} takes a secret, which is never fetched: put it as a key of the type oct into a file, and name that as file:// in ${path}.url`,
        ),
    ],
    notes: keySets
      .filter((keySet) => keySet.names.length === 0)
      .map(
        ({ path }) =>
          `${path} names no issuers, so it accepts tokens of every issuer; list them in ${path}.issuers`,
      ),
  };
}

type KeySet = NonNullable<NonNullable<RouterConfig['authentication']>['router']>['jwt']['jwks'][number];

function keySetsOf({ authentication }: RouterConfig): readonly KeySet[] {
  return authentication?.router?.jwt.jwks ?? [];
}

function issuersOf({ issuers }: KeySet, { JWT_ISSUER }: GatewayEnvironment): readonly string[] {
  return issuers ?? (JWT_ISSUER === undefined ? [] : [JWT_ISSUER]);
}

function urlFault(path: string, url: string): string {
  const { protocol, hostname } = URL.parse(url) ?? {};
  const otherwise =
    protocol === 'http:'
      ? `; or set meridian.authentication.plain_http_hosts: [${hostname}] if responses of ${hostname} cannot be changed on their way here`
      : '';
  return `${path}.url: takes an https:// or file:// URL without credentials, or in development also an http:// URL on loopback${otherwise}`;
}
