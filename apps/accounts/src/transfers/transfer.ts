/** Money that moved from one account of a tenant to another. */
export interface Transfer {
  readonly id: string;
  readonly fromAccountId: string;
  readonly toAccountId: string;
  /** From 1 to 2^63-1. */
  readonly amountMinorUnits: bigint;
  readonly reference: string | null;
  readonly status: 'completed';
  /** The transfer that this one reverses. */
  readonly reverses: string | null;
  /** The transfer that reverses this one. */
  readonly reversedBy: string | null;
  /** ISO 8601 in UTC, with the microseconds that the store keeps. */
  readonly createdAt: string;
}

/** A transfer, with the epoch of its store. */
export interface StoredTransfer extends Transfer {
  /** The store's own random value, renewed when it is restored from a backup. */
  readonly storeEpoch: string;
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** True for a UUID in the service's notation: what transfers and holds have for identifiers. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}
