/** A part of an account's balance that is reserved until it is captured or released, or expires. */
export interface Hold {
  readonly id: string;
  readonly accountId: string;
  /** From 1 to 2^63-1. */
  readonly amountMinorUnits: bigint;
  /** The part that was transferred; 0 unless it is captured. */
  readonly capturedMinorUnits: bigint;
  readonly status: HoldStatus;
  /** ISO 8601 in UTC, with microseconds, as `createdAt`. */
  readonly expiresAt: string;
  readonly reference: string | null;
  readonly createdAt: string;
}

export const holdStatuses = ['pending', 'captured', 'released', 'expired'] as const;

export type HoldStatus = (typeof holdStatuses)[number];
