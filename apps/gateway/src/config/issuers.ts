import type { Introspection, OpenKeySet, TrustedIssuer } from '@meridian/auth';
import { jwksUrl, takesSecret } from '@meridian/auth';
import type { RouterConfig } from '@meridian/router-config';
import { claimPrefix } from '@meridian/router-config';

import type { GatewayEnvironment } from './gateway-environment.ts';

/** The issuers whose tokens are accepted. */
export interface TrustedKeys {
  readonly issuers: readonly TrustedIssuer[];
  /** Key sets that name no issuer. */
  readonly openKeySets: readonly OpenKeySet[];
  /** Absent where opaque tokens are rejected. */
  readonly introspection: Introspection | undefined;
}

/** True where callers may have a token. */
export function verifiesTokens({ issuers, openKeySets, introspection }: TrustedKeys): boolean {
  return issuers.length + openKeySets.length > 0 || introspection !== undefined;
}

type Audience = TrustedIssuer['audience'];

/**
 * The same keys, for tokens of other audiences.
 *
 * @param audienceOf by the audience of each; undefined for any
 */
export function withAudiences(
  { issuers, openKeySets, introspection }: TrustedKeys,
  audienceOf: (own: Audience) => Audience,
): TrustedKeys {
  const changed = <Keys extends { readonly audience: Audience }>(keys: Keys): Keys => ({
    ...keys,
    audience: audienceOf(keys.audience),
  });
  return {
    issuers: issuers.map(changed),
    openKeySets: openKeySets.map(changed),
    introspection: introspection && changed(introspection),
  };
}

/**
 * The issuers that `authentication.router.jwt` trusts. As in Apollo Router, a token needs `exp`, `iss` where the file
 * names issuers, and `aud` where it names audiences; a key set that names no issuer accepts tokens of every issuer.
 *
 * Contract: Identity.
 */
export function trustedKeys(file: RouterConfig, environment: GatewayEnvironment): TrustedKeys {
  const { authentication, authorization } = file.meridian;
  const rules = {
    plainHttpHosts: authentication.plain_http_hosts,
    tenantClaim: authentication.tenant_claim ?? null,
    requiredClaims: authentication.required_claims,
    policiesClaim: authorization.policies_claim,
    keptClaims: usedClaims(file),
  };
  const keySets = keySetsOf(file).map((keySet) => ({
    names: issuersOf(keySet, environment),
    common: {
      ...rules,
      audience: keySet.audiences ?? environment.JWT_AUDIENCE,
      jwksUrl: keySet.url,
      algorithms: keySet.algorithms,
      headers: Object.fromEntries(keySet.headers.map(({ name, value }) => [name, value])),
      refreshAgeMs: keySet.poll_interval,
    },
  }));
  const { tenants, oidc, introspection } = authentication;
  const ofKeySets = keySets.flatMap(({ names, common }) =>
    names.map((issuer) => ({ ...common, issuer, tenants: tenants.get(issuer) })),
  );
  const discoveredIssuer = ({ issuer, audiences }: (typeof oidc)[number]): TrustedIssuer => ({
    ...rules,
    issuer,
    isDiscovered: true,
    jwksUrl: issuer,
    audience: audiences ?? environment.JWT_AUDIENCE,
    tenants: tenants.get(issuer),
  });
  return {
    issuers: [...ofKeySets, ...oidc.map(discoveredIssuer)],
    introspection: introspection && {
      ...rules,
      endpoint: introspection.endpoint,
      clientId: introspection.client_id,
      clientSecret: introspection.client_secret,
      issuer: introspection.issuer,
      audience: introspection.audiences ?? environment.JWT_AUDIENCE,
      tenants: tenants.get(introspection.issuer),
      cacheMs: introspection.cache_ttl,
    },
    openKeySets: keySets.flatMap(({ names, common }) => (names.length === 0 ? [{ ...common, tenants }] : [])),
  };
}

/** The claims that rules for header fields, graphs, tiers, labels of overrides and private responses name. Code of an operator may read all. */
function usedClaims({
  headers,
  coprocessor,
  meridian,
  response_cache: cache,
}: RouterConfig): readonly string[] | 'all' {
  if (meridian.hooks.length > 0 || coprocessor !== undefined) {
    return 'all';
  }
  const locations = [headers.all, ...headers.subgraphs.values()];
  const keys = locations.flatMap(({ request }) =>
    request.operations.map(({ insert }) => insert?.from_context ?? ''),
  );
  const privateIds = [cache.subgraph.all, ...cache.subgraph.subgraphs.values()].map(
    ({ private_id: key = '' }) => key,
  );
  const claims = [...keys, ...privateIds]
    .filter((key) => key.startsWith(claimPrefix))
    .map((key) => key.slice(claimPrefix.length));
  const ofGraphs = Array.from(meridian.graphs.values(), ({ claim }) => claim?.name ?? []);
  const ofTiers = meridian.tiers === undefined ? [] : [meridian.tiers.claim];
  const ofLabels = Array.from(meridian.override_labels.values(), (rule) =>
    typeof rule === 'object' && rule.kind === 'claim' ? rule.name : [],
  );
  return [...new Set([...claims, ...ofGraphs.flat(), ...ofTiers, ...ofLabels.flat()])];
}

/** The faults of key sets, and notes on them. */
export function keySetChecks(
  file: RouterConfig,
  environment: GatewayEnvironment,
): { readonly faults: readonly string[]; readonly notes: readonly string[] } {
  const { plain_http_hosts: plainHttpHosts, oidc, introspection } = file.meridian.authentication;
  const isAllowed = (url: string, areFilesAllowed: boolean): boolean =>
    jwksUrl.parse(url, environment.mode, { plainHttpHosts, areFilesAllowed }) !== undefined;
  const keySets = keySetsOf(file).map(
    (keySet, index) => [`authentication.router.jwt.jwks[${index}]`, keySet] as const,
  );
  const urls = [
    ...oidc.map(
      ({ issuer }, index) => [`meridian.authentication.oidc[${index}].issuer`, issuer, false] as const,
    ),
    ...(introspection === undefined
      ? []
      : [['meridian.authentication.introspection.endpoint', introspection.endpoint, false] as const]),
    ...keySets.map(([path, { url }]) => [`${path}.url`, url, true] as const),
  ];
  return {
    faults: [
      ...urls
        .filter(([, url, areFilesAllowed]) => !isAllowed(url, areFilesAllowed))
        .map(([path, url]) => urlFault(path, url)),
      ...keySets.flatMap(([path, { url, algorithms }]) => {
        const secret = url.startsWith('file:') ? undefined : algorithms?.find(takesSecret);
        return secret === undefined
          ? []
          : `${path}.algorithms: ${secret} takes a secret, which is never fetched: put it as a key of the type oct into a file, and name that as file:// in ${path}.url`;
      }),
    ],
    notes: keySets
      .filter(([, keySet]) => issuersOf(keySet, environment).length === 0)
      .map(
        ([path]) =>
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
  return `${path}: takes an https:// or file:// URL without credentials, or in development also an http:// URL on loopback${otherwise}`;
}
