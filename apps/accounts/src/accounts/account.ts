import type { Caller } from '@meridian/auth';
import { problem } from '@meridian/problem-details';
import type { Problem } from '@meridian/problem-details';

/** An account in a page of the collection. */
export interface ListedAccount {
  readonly id: string;
  /** In minor currency units: a signed 64-bit integer. */
  readonly balance_minor_units: bigint;
  /** ISO 8601 in UTC, with the microseconds that the store keeps. */
  readonly created_at: string;
}

/** An account, as the store has it. Spec: Resources, Account. */
export interface Account extends ListedAccount {
  /** The part of the balance that pending holds reserve, as decimal digits: a sum in PostgreSQL. */
  readonly held_minor_units: string;
  /** 1 at first; each write raises it by 1. */
  readonly revision: bigint;
  /** The store's own random value, renewed when it is restored from a backup. */
  readonly store_epoch: string;
}

/** The caller of a write, who is recorded with what it enters in the ledger. */
export type Actor = Pick<Caller, 'tenantId' | 'issuer' | 'subject'>;

/**
 * The identifiers that an account can have: 1 to 128 unreserved characters (RFC 3986 §2.3).
 * `.` and `..` could not be addressed, because clients and proxies resolve them as path segments (§5.2.4).
 */
export const accountIdPattern = /^(?:\.{0,2}[A-Za-z0-9_~-]|\.{3})[A-Za-z0-9_.~-]*$/u;
export const maxAccountIdLength = 128;

export function isAccountId(text: string): boolean {
  return text.length <= maxAccountIdLength && accountIdPattern.test(text);
}

/** Equal for a missing account and for another tenant's. */
export function accountNotFound(id: string): Problem {
  return problem('account-not-found', `There is no account "${id}".`);
}
