// The REST API of accounts, which the storefront's server forwards: accounts, entries, and events as they happen.
import type { Session } from '../session.ts';
import { LedgerError, followEvents } from './follow-events.ts';
import type { Get, LedgerEvent, Live } from './follow-events.ts';

export interface Account {
  readonly id: string;
  readonly balance_minor_units: bigint;
}

/** A change of an account's balance. */
export interface Entry {
  readonly id: string;
  readonly kind: 'opening' | 'adjustment' | 'transfer';
  readonly amount_minor_units: bigint;
  /** After the entry. */
  readonly balance_minor_units: bigint;
  readonly actor: { readonly subject: string } | null;
  /** RFC 3339. */
  readonly created_at: string;
}

/** A page of a collection, newest first. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Of the next page; null on the last. */
  readonly next_cursor: string | null;
}

export interface Ledger {
  /** The newest hundred. */
  accounts(signal: AbortSignal): Promise<Page<Account>>;
  /** @throws {LedgerError} for an account that does not exist, among others */
  entries(accountId: string, cursor: string | null, signal: AbortSignal): Promise<Page<Entry>>;
  /** Calls `onEvent` for each change of the tenant from now on, until the signal aborts. */
  follow(live: Live, signal: AbortSignal): void;
}

/** True for an event that may have changed an account. */
export function concerns({ subject, data }: LedgerEvent, accountId: string): boolean {
  return (
    subject === `/accounts/${accountId}` ||
    [data.account_id, data.from_account_id, data.to_account_id].includes(accountId)
  );
}

/** Reads with the token of the session, and where that has ended, again with another. */
export function openLedger(session: Session): Ledger {
  const get: Get = async (path, accept, signal) => {
    const send = (token: string): Promise<Response> =>
      fetch(path, { signal, headers: { Accept: accept, Authorization: `Bearer ${token}` } });
    const token = await session.token();
    const response = await send(token);
    return response.status === 401 ? await send(await session.renew(token)) : response;
  };
  const read = async <Body>(path: string, signal: AbortSignal): Promise<Body> => {
    const response = await get(path, 'application/json', signal);
    if (!response.ok) {
      throw new LedgerError(response.status);
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as its OpenAPI document says
    return parseExactly(await response.text()) as Body;
  };
  const renewToken = async (): Promise<string> => await session.renew(await session.token());
  return {
    accounts: (signal) => read('/accounts?limit=100', signal),
    entries(accountId, cursor, signal) {
      const query = cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`;
      return read(`/accounts/${encodeURIComponent(accountId)}/entries${query}`, signal);
    },
    follow(live, signal) {
      void followEvents({ get, renewToken, live, signal });
    },
  };
}

/** Parses JSON whose amounts, the members in minor units, become bigints: a double would lose digits beyond 2^53. */
function parseExactly(text: string): unknown {
  return JSON.parse(text, (name: string, value: unknown, ...[context]: { source: string }[]) =>
    name.endsWith('_minor_units') && typeof value === 'number' ? BigInt(context?.source ?? value) : value,
  );
}
