import { createHash } from 'node:crypto';

import { formatUuid } from './identifier.ts';

/** The identity of a caller: within a tenant, the issuer of the token and its `sub`. */
export interface CallerIdentity {
  readonly tenantId: string;
  readonly issuer: string;
  readonly subject: string;
}

/**
 * The identifier of a caller as a user: a UUIDv8 (RFC 9562 §5.8) that is derived from the caller's identity, so any
 * subgraph can name the caller as a `User` without a request to the users subgraph. It reveals nothing.
 */
export function userIdOf({ tenantId, issuer, subject }: CallerIdentity): string {
  const hash = createHash('sha256');
  for (const part of [tenantId, issuer, subject]) {
    // The length comes first, so that two identities never give the same text.
    hash.update(`${Buffer.byteLength(part)}:${part}`);
  }
  return formatUuid(hash.digest(), 8);
}
