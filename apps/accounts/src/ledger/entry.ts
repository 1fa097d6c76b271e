import { hash } from 'node:crypto';

/** One change of an account's balance, as the ledger has it. */
export interface Entry {
  /** Unique and rising in one store; clients see `publicId`. */
  readonly id: bigint;
  /** Null for the first balance, and for one that was set. */
  readonly transfer_id: string | null;
  readonly is_first: boolean;
  /** Signed, as decimal digits. The difference of two balances may need 65 bits. */
  readonly amount_minor_units: string;
  /** After the entry. */
  readonly balance_minor_units: bigint;
  /** Of the token; null for an entry from before they were recorded. */
  readonly actor_issuer: string | null;
  readonly actor_subject: string | null;
  /** Later than the account's entry before. ISO 8601 in UTC, with microseconds. */
  readonly created_at: string;
}

/**
 * The identifier of an entry for clients: a UUIDv7 (RFC 9562 §5.7) of its time, made from what never changes, so that
 * entries from before it was shown have one too.
 */
export function publicId(tenantId: string, accountId: string, { id, created_at: createdAt }: Entry): string {
  const ms = Date.parse(createdAt).toString(16).padStart(12, '0');
  const digest = hash('sha256', JSON.stringify([tenantId, accountId, String(id)]));
  const variant = ((Number.parseInt(digest.slice(3, 4), 16) & 0x3) | 0x8).toString(16);
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7${digest.slice(0, 3)}-${variant}${digest.slice(4, 7)}-${digest.slice(7, 19)}`;
}
