import type { ReactElement } from 'react';

import type { Entry, Ledger } from '../ledger/ledger.ts';
import { LedgerError } from '../ledger/follow-events.ts';
import { BalanceLine } from './balance-line.tsx';
import { formatChange, formatMoney } from './format-money.ts';
import { useEntries } from './use-entries.ts';

const times = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

/** An account: its balance, as a line over time and entry by entry. */
export function AccountView({ ledger, id }: { readonly ledger: Ledger; readonly id: string }): ReactElement {
  const { page, error, isLive, loadOlder } = useEntries(ledger, id);
  const balance = page?.items[0]?.balance_minor_units;
  return (
    <section aria-labelledby="account">
      <h3 id="account">{id}</h3>
      {error !== undefined && (
        <p className="quiet" role="alert">
          {error instanceof LedgerError && error.status === 404
            ? 'There is no such account.'
            : 'The entries could not be loaded.'}
        </p>
      )}
      {page !== undefined && balance !== undefined && (
        <>
          <p aria-live="polite">
            Balance <strong className="balance">{formatMoney(balance)}</strong>
          </p>
          <p className="quiet" role="status">
            {isLive ? 'Live: changes show as they happen.' : 'Connecting …'}
          </p>
          <BalanceLine entries={page.items} />
          <EntryTable entries={page.items} />
          {page.next_cursor !== null && (
            <button type="button" onClick={loadOlder}>
              Older entries
            </button>
          )}
        </>
      )}
    </section>
  );
}

function EntryTable({ entries }: { readonly entries: readonly Entry[] }): ReactElement {
  return (
    <table className="entries">
      <caption>Entries, newest first</caption>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Kind</th>
          <th scope="col">By</th>
          <th scope="col">Amount</th>
          <th scope="col">Balance</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td>
              <time dateTime={entry.created_at}>{times.format(Date.parse(entry.created_at))}</time>
            </td>
            <td>{entry.kind}</td>
            <td>{entry.actor?.subject ?? '–'}</td>
            <td>{formatChange(entry.amount_minor_units)}</td>
            <td>{formatMoney(entry.balance_minor_units)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
