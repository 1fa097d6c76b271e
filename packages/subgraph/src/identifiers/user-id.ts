import { createHash } from 'node:crypto';

import { formatUuid } from './identifier.ts';

/** The identity of a caller: within a tenant, the issuer of the token and its `sub`. */
export interface CallerIdentity {
  readonly tenantId: string;
  readonly issuer: string;
  readonly subject: string;
}

/**
 * The identifier of the user whom a caller is: a UUIDv8 (RFC 9562 §5.8) that follows from the caller's identity, so that
 * any subgraph can name the caller as a `User` without asking the users subgraph. Nothing can be read from it.
 */
export function userIdOf({ tenantId, issuer, subject }: CallerIdentity): string {
  const hash = createHash('sha256');
  for (const part of [tenantId, issuer, subject]) {
    // The length goes first, so that no two identities run together into the same text.
    hash.update(`${Buffer.byteLength(part)}:${part}`);
  }
  return formatUuid(hash.digest(), 8);
}
