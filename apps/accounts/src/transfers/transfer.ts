/** Money that moved from one account of a tenant to another. */
export interface Transfer {
  readonly id: string;
  readonly fromAccountId: string;
  readonly toAccountId: string;
  /** From 1 to 2^63-1. */
  readonly amountMinorUnits: bigint;
  readonly reference: string | null;
  readonly status: 'completed';
  /** ISO 8601 in UTC, with the microseconds that the store keeps. */
  readonly createdAt: string;
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** True when a transfer can have this identifier: a UUID in the service's notation. */
export function isTransferId(text: string): boolean {
  return uuidPattern.test(text);
}
