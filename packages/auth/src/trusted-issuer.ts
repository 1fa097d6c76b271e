/** A key set, and the requirements on tokens that it signs. */
interface TrustedKeys {
  /** The required `aud`, alone or in a list. */
  readonly audience: string;
  /** Where the keys are published: a URL of a form that `jwksUrl` accepts in development. */
  readonly jwksUrl: string | URL;
  /** The hosts other than loopback from which such a URL may be fetched over `http://`. Default: none. */
  readonly plainHttpHosts?: readonly string[] | undefined;
  /** The claim that lists the policies of a caller. Default: `policies`. */
  readonly policiesClaim?: string | undefined;
}

/** An issuer whose tokens are accepted, and where its keys are. */
export interface TrustedIssuer extends TrustedKeys {
  /** The required `iss`, exactly. */
  readonly issuer: string;
  /** The tenants that the issuer may name. Default: any. */
  readonly tenants?: readonly string[] | undefined;
}

/** A key set whose tokens are accepted from every issuer, except the issuers with a `TrustedIssuer`. */
export interface OpenKeySet extends TrustedKeys {
  /** The tenants that an issuer may name, by issuer; an issuer that is not listed may name any. */
  readonly tenants: ReadonlyMap<string, readonly string[]>;
}
