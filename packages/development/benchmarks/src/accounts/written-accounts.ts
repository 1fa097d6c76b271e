import type { Accounts } from './create-accounts.ts';

/**
 * Accounts that one contender writes, and no other: `account-<first>`, `account-<first + step>` and so on. Each is at
 * revision 1 before it is first written.
 */
export interface WrittenAccounts {
  readonly accounts: Accounts;
  readonly first: number;
  readonly step: number;
  readonly count: number;
}

/**
 * Divides accounts among contenders. Each gets the same number of them, in a large store as in a small one, from all of
 * the store.
 */
export function shareOf(
  accounts: Accounts,
  { writer, writers, count }: { readonly writer: number; readonly writers: number; readonly count: number },
): WrittenAccounts {
  const step = Math.floor(accounts.count / count);
  return { accounts, first: Math.floor((step * writer) / writers), step, count };
}
