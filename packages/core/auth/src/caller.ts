/** The caller of a request and its rights: every decision about the request depends on these alone. */
export interface Caller {
  /** The tenant that every read and write of the request is restricted to. The issuer, where no claim names tenants. */
  readonly tenantId: string;
  /** Unique only together with `issuer`: two issuers may know the same `sub`. */
  readonly subject: string;
  /** True for a token without `sub`: its caller is then known by the token alone, and `subject` is its hash. */
  readonly isSubjectDerived?: true;
  readonly issuer: string;
  readonly scopes: ReadonlySet<string>;
  /** The policies for `@policy` in a schema; absent for a caller without any. */
  readonly policies?: ReadonlySet<string>;
  /** The claims that the configuration keeps for other uses, by name; absent where it keeps none. */
  readonly claims?: ReadonlyMap<string, unknown>;
  /** The token's `exp`: seconds since the epoch. */
  readonly expiresAt: number;
}
