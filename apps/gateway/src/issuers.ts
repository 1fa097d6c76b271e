import type { TrustedIssuer } from '@meridian/auth';
import { jwksUrl } from '@meridian/auth';
import type { Mode } from '@meridian/config';
import type { RouterConfig } from '@meridian/router-config';

export interface IssuerDefaults {
  readonly mode: Mode;
  /** `JWT_ISSUER`, for key sets that name no issuer. */
  readonly issuer: string | undefined;
  /** `JWT_AUDIENCE`, for key sets that name no audience. */
  readonly audience: string;
}

/**
 * The issuers that `authentication.router.jwt` trusts. Where Apollo Router would take a token from anyone who has the key,
 * this gateway wants to know who that is: an issuer is half of a caller's identity.
 *
 * Contract: Identity.
 */
export function readIssuers(
  { authentication, meridian }: RouterConfig,
  defaults: IssuerDefaults,
): { readonly issuers: readonly TrustedIssuer[]; readonly faults: readonly string[] } {
  const keySets = authentication?.router?.jwt.jwks ?? [];
  const faults: string[] = [];
  const issuers = keySets.flatMap(
    ({ url, issuers: named, audiences: [audience = defaults.audience] = [] }, index) => {
      const path = `authentication.router.jwt.jwks[${index}]`;
      const names = named ?? (defaults.issuer === undefined ? [] : [defaults.issuer]);
      if (jwksUrl.parse(url, defaults.mode) === undefined) {
        faults.push(`${path}.url: takes ${jwksUrl.takes}`);
      }
      if (names.length === 0) {
        faults.push(`${path}.issuers: is required while JWT_ISSUER is not set`);
      }
      return names.map((issuer) => ({
        issuer,
        audience,
        jwksUrl: url,
        tenants: meridian.authentication.tenants.get(issuer),
        policiesClaim: meridian.authorization.policies_claim,
      }));
    },
  );
  const names = issuers.map(({ issuer }) => issuer);
  if (new Set(names).size < names.length) {
    faults.push('authentication.router.jwt.jwks: names an issuer twice');
  }
  return { issuers, faults };
}
