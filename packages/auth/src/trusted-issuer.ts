/** An issuer whose tokens are accepted, and where its keys are. */
export interface TrustedIssuer {
  /** What `iss` must be, exactly. */
  readonly issuer: string;
  /** What `aud` must be, or hold. */
  readonly audience: string;
  /** Where the issuer publishes its keys: a URL of a form that `jwksUrl` accepts in development. */
  readonly jwksUrl: string | URL;
  /** The tenants that the issuer may name; any when absent. */
  readonly tenants?: readonly string[] | undefined;
  /** The claim that lists the policies of a caller; `policies` when absent. */
  readonly policiesClaim?: string | undefined;
}

/** A JWKS that could not be had. The keys known before stay valid; see `IssuerKeys`. */
export interface JwksFailure {
  readonly issuer: string;
  readonly error: unknown;
}
