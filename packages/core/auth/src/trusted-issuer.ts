/** A key set, and the requirements on tokens that it signs. */
interface TrustedKeys {
  /** A token needs one of these in its `aud`. `undefined`: tokens for any audience, or for none, are accepted. */
  readonly audience: string | readonly string[] | undefined;
  /** Where the keys are published: a URL of a form that `jwksUrl` accepts in development. */
  readonly jwksUrl: string | URL;
  /** The hosts other than loopback from which such a URL may be fetched over `http://`. Default: none. */
  readonly plainHttpHosts?: readonly string[] | undefined;
  /** Header fields of the requests for the keys. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The age at which keys in use are fetched again. Default: a minute. */
  readonly refreshAgeMs?: number | undefined;
  /**
   * The algorithms that these keys may sign with. Default: RS256, PS256, ES256 and EdDSA. A secret (HS256, HS384, HS512)
   * is taken from a file alone.
   */
  readonly algorithms?: readonly string[] | undefined;
  /** The claim that names a caller's tenant; `null`: all callers of an issuer are one tenant. Default: `tenant_id`. */
  readonly tenantClaim?: string | null | undefined;
  /** The claims that a token needs, in addition to `exp` and those that are compared. Default: `sub`. */
  readonly requiredClaims?: readonly string[] | undefined;
  /** The claim that lists the policies of a caller. Default: `policies`. */
  readonly policiesClaim?: string | undefined;
  /** The claims that `Caller` keeps, by name. Default: none. */
  readonly keptClaims?: readonly string[] | 'all' | undefined;
}

/** The endpoint that says whether an opaque token is valid (RFC 7662), and the requirements on such tokens. */
export interface Introspection extends Pick<
  TrustedKeys,
  'audience' | 'tenantClaim' | 'requiredClaims' | 'policiesClaim' | 'keptClaims'
> {
  readonly endpoint: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The issuer of the tokens: `iss`, where the endpoint says it. */
  readonly issuer: string;
  /** The tenants that the issuer may name. Default: any. */
  readonly tenants?: readonly string[] | undefined;
  /** The longest time for which a revoked token is still accepted, at most 60 s. */
  readonly cacheMs: number;
}

/** An issuer whose tokens are accepted, and where its keys are. */
export interface TrustedIssuer extends TrustedKeys {
  /** The required `iss`, exactly. */
  readonly issuer: string;
  /** The tenants that the issuer may name. Default: any. */
  readonly tenants?: readonly string[] | undefined;
  /** True when `jwksUrl` is the issuer, whose OpenID configuration names the key set. */
  readonly isDiscovered?: boolean | undefined;
}

/**
 * A key set whose tokens are accepted from every issuer, except the issuers with a `TrustedIssuer`, and without the
 * claim `iss`: their issuer is then the URL of the key set.
 */
export interface OpenKeySet extends TrustedKeys {
  /** The tenants that an issuer may name, by issuer; an issuer that is not listed may name any. */
  readonly tenants: ReadonlyMap<string, readonly string[]>;
}
