import type { ReactElement } from 'react';
import { useId } from 'react';

import type { Entry, Ledger } from '../ledger/ledger.ts';
import { LedgerError } from '../ledger/follow-events.ts';
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

const width = 720;
const height = 160;
const shortTimes = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** The balance over time, as a line of steps: each entry changes it at once. The table has the same in numbers. */
function BalanceLine({ entries }: { readonly entries: readonly Entry[] }): ReactElement | null {
  const captionId = useId();
  const steps = entries.toReversed();
  const [first, last] = [steps[0], steps.at(-1)];
  if (first === undefined || last === undefined) {
    return null;
  }
  const balances = steps.map((entry) => entry.balance_minor_units);
  const lowest = balances.reduce((one, other) => (one < other ? one : other));
  const highest = balances.reduce((one, other) => (one > other ? one : other));
  return (
    <figure className="balance-line">
      <svg
        role="img"
        aria-labelledby={captionId}
        viewBox={`0 -4 ${width} ${height + 8}`}
        preserveAspectRatio="none"
      >
        <line x1="0" x2={width} y1={height} y2={height} />
        <path d={pathOf(steps, lowest, highest)} />
      </svg>
      <figcaption id={captionId}>
        Balance, {shortTimes.formatRange(Date.parse(first.created_at), Date.parse(last.created_at))}: lowest{' '}
        {formatMoney(lowest)}, highest {formatMoney(highest)}
      </figcaption>
    </figure>
  );
}

/** Oldest first. Heights are exact fractions of the range, whatever the size of the amounts. */
function pathOf(steps: readonly Entry[], lowest: bigint, highest: bigint): string {
  const range = highest - lowest;
  const yOf = (balance: bigint): number =>
    range === 0n ? height / 2 : height - Number(((balance - lowest) * BigInt(height * 10)) / range) / 10;
  const moments = steps.map((entry) => Date.parse(entry.created_at));
  const start = moments[0] ?? 0;
  // The last balance gets a part of the width too.
  const span = Math.max(1, ((moments.at(-1) ?? start) - start) * 1.05);
  const points = steps.map(
    ({ balance_minor_units: balance }, index) =>
      [(((moments[index] ?? start) - start) / span) * width, yOf(balance)] as const,
  );
  const [, y = 0] = points[0] ?? [];
  return [`M0 ${y}`, ...points.slice(1).map(([x, y]) => `H${x.toFixed(1)}V${y}`), `H${width}`].join('');
}
