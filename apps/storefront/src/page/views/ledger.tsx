import type { FormEvent, ReactElement } from 'react';
import { useEffect, useState } from 'react';

import type { Account, Ledger } from '../ledger/ledger.ts';
import { AccountView } from './account.tsx';
import { formatMoney } from './format-money.ts';

/** The accounts of the tenant, of which one is shown. */
export function LedgerView({
  ledger,
  accountId,
}: {
  readonly ledger: Ledger;
  readonly accountId: string | undefined;
}): ReactElement {
  const { accounts, error } = useAccounts(ledger);
  return (
    <>
      <h2>Ledger</h2>
      <AccountForm key={accountId} accounts={accounts ?? []} shownId={accountId} />
      {accountId !== undefined && <AccountView key={accountId} ledger={ledger} id={accountId} />}
      {accountId === undefined && accounts !== undefined && <AccountTable accounts={accounts} />}
      {error !== undefined && (
        <p className="quiet" role="alert">
          The accounts could not be loaded.
        </p>
      )}
    </>
  );
}

function useAccounts(ledger: Ledger): { accounts: readonly Account[] | undefined; error: unknown } {
  const [accounts, setAccounts] = useState<readonly Account[]>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const stop = new AbortController();
    ledger.accounts(stop.signal).then(
      ({ items }) => setAccounts(items),
      (error: unknown) => setError(stop.signal.aborted ? undefined : error),
    );
    return () => stop.abort();
  }, [ledger]);
  return { accounts, error };
}

/** Opens an account by its identifier: one of the list, or any other. */
function AccountForm({
  accounts,
  shownId = '',
}: {
  readonly accounts: readonly Account[];
  readonly shownId: string | undefined;
}): ReactElement {
  const [id, setId] = useState(shownId);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    window.location.hash = placeOf(id);
  };
  return (
    <form onSubmit={submit}>
      <label>
        Account
        <input required list="accounts" value={id} onChange={({ target }) => setId(target.value)} />
      </label>
      <datalist id="accounts">
        {accounts.map((account) => (
          <option key={account.id} value={account.id} />
        ))}
      </datalist>
      <button>Show</button>
    </form>
  );
}

function AccountTable({ accounts }: { readonly accounts: readonly Account[] }): ReactElement {
  if (accounts.length === 0) {
    return <p>There are no accounts yet. The commands that pnpm start prints create one.</p>;
  }
  return (
    <table className="entries">
      <caption>Accounts, newest first</caption>
      <thead>
        <tr>
          <th scope="col">Account</th>
          <th scope="col">Balance</th>
        </tr>
      </thead>
      <tbody>
        {accounts.map((account) => (
          <tr key={account.id}>
            <td>
              <a href={placeOf(account.id)}>{account.id}</a>
            </td>
            <td>{formatMoney(account.balance_minor_units)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function placeOf(accountId: string): string {
  return `#/ledger/${encodeURIComponent(accountId)}`;
}
