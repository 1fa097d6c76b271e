import { hash } from 'node:crypto';

/** One change of an account's balance, as the ledger has it. */
export interface Entry {
  /** Unique and rising in one store; clients see `publicId`. */
  readonly id: string;
  readonly accountId: string;
  readonly kind: 'opening' | 'adjustment' | 'transfer';
  readonly transferId: string | null;
  /** Signed. The difference of two balances may need 65 bits. */
  readonly amountMinorUnits: bigint;
  /** After the entry. */
  readonly balanceMinorUnits: bigint;
  /** Issuer and subject of the token; null for an entry from before they were recorded. */
  readonly actor: { readonly issuer: string; readonly subject: string } | null;
  /** Later than the account's entry before. ISO 8601 in UTC, with microseconds. */
  readonly createdAt: string;
}

/**
 * The identifier of an entry for clients: a UUIDv7 (RFC 9562 §5.7) of its time, made from what never changes, so that
 * entries from before it was shown have one too.
 */
export function publicId(tenantId: string, { id, accountId, createdAt }: Entry): string {
  const ms = Date.parse(createdAt).toString(16).padStart(12, '0');
  const digest = hash('sha256', JSON.stringify([tenantId, accountId, id]));
  const variant = ((Number.parseInt(digest.slice(3, 4), 16) & 0x3) | 0x8).toString(16);
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7${digest.slice(0, 3)}-${variant}${digest.slice(4, 7)}-${digest.slice(7, 19)}`;
}
