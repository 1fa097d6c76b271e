/** The caller of a request and its rights: every decision about the request depends on these alone. */
export interface Caller {
  /** The tenant that every read and write of the request is restricted to. */
  readonly tenantId: string;
  /** Unique only together with `issuer`: two issuers may know the same `sub`. */
  readonly subject: string;
  readonly issuer: string;
  readonly scopes: ReadonlySet<string>;
  /** The policies for `@policy` in a schema; absent for a caller without any. */
  readonly policies?: ReadonlySet<string>;
  /** The token's `exp`: seconds since the epoch. */
  readonly expiresAt: number;
}
