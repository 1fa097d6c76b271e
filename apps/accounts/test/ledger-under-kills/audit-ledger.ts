// The audit of a ledger that nothing writes any more: its books, its events, and the responses that its clients got.
import { setTimeout as delay } from 'node:timers/promises';

import type { QueryResult, QueryResultRow } from 'pg';

import { followEvents } from './follow-events.ts';
import type { LedgerEvent } from './follow-events.ts';
import type { Write, WrittenLedger } from './write-ledger.ts';

export interface AuditedLedger {
  readonly ledger: WrittenLedger;
  /** The events that a reader got while the ledger was written. */
  readonly followed: readonly LedgerEvent[];
  readonly urls: () => readonly string[];
  /** Sends a statement as superuser. */
  readonly admin: <Row extends QueryResultRow>(
    sql: string,
    values: readonly unknown[],
  ) => Promise<QueryResult<Row>>;
}

/** Waits until no pending hold expires in the next hour: then the log does not grow between two readings of it. */
export async function untilNoHoldExpires(admin: AuditedLedger['admin']): Promise<void> {
  for (;;) {
    const { rows } = await admin(
      `select 1 from holds where status = 'pending'
         and expires_at between clock_timestamp() and clock_timestamp() + interval '1 hour' limit 1`,
      [],
    );
    if (rows.length === 0) {
      return;
    }
    await delay(100);
  }
}

interface Entry {
  readonly account: string;
  readonly transfer: string | null;
  readonly amount: string;
  readonly balance: string;
  readonly at: string;
}

interface Transfer {
  readonly id: string;
  readonly reference: string | null;
  readonly reverses: string | null;
  readonly at: string;
}

interface Hold {
  readonly id: string;
  readonly account: string;
  readonly reference: string;
  readonly status: string;
  readonly told: boolean;
  readonly at: string;
}

/** @returns what is wrong, a line for each; nothing where all is right */
export async function auditLedger(audited: AuditedLedger): Promise<string[]> {
  const { ledger, followed, urls, admin } = audited;
  const tenant = [ledger.tenant];
  // First: it logs holds that have expired.
  const events = await followEvents(urls, ledger.headers, () => true);
  const { rows: entries } = await admin<Entry>(
    `select account_id as account, transfer_id as transfer, amount_minor_units::text as amount,
       balance_minor_units::text as balance, utc_text(created_at) as at
     from ledger_entries where tenant_id = $1 and account_id is not null order by created_at, id`,
    tenant,
  );
  const { rows: accounts } = await admin<{ id: string; balance: string; revision: string }>(
    `select id, balance_minor_units as balance, revision from accounts where tenant_id = $1`,
    tenant,
  );
  const { rows: transfers } = await admin<Transfer>(
    `select id, reference, reverses, utc_text(created_at) as at from transfers where tenant_id = $1`,
    tenant,
  );
  const { rows: holds } = await admin<Hold>(
    `select id, account_id as account, reference, status, is_expiry_told as told, utc_text(created_at) as at
     from holds where tenant_id = $1`,
    tenant,
  );
  const { rows: sums } = await admin<{ sum: string }>(
    'select sum(amount_minor_units)::text as sum from ledger_entries where tenant_id = $1',
    tenant,
  );
  return [
    ...ledger.faults,
    ...(sums[0]?.sum === '0' ? [] : [`the entries sum to ${sums[0]?.sum}`]),
    ...faultsOfBooks(accounts, entries, holds),
    ...faultsOfEvents(events, followed, { accounts, entries, transfers, holds }),
    ...faultsOfReplay(events, entries),
    ...(await faultsOfBalancesAtMoments(audited, entries)),
    ...faultsOfWrites(ledger.writes, { accounts, entries, transfers, holds }),
  ].map((fault) => `${ledger.tenant}: ${fault}`);
}

/** Each balance is the sum of its entries, as each of them says; each write has raised the revision by one. */
function faultsOfBooks(
  accounts: readonly { readonly id: string; readonly balance: string; readonly revision: string }[],
  entries: readonly Entry[],
  holds: readonly Hold[],
): string[] {
  const ofAccount = Map.groupBy(entries, ({ account }) => account);
  return accounts.flatMap(({ id, balance, revision }) => {
    const own = ofAccount.get(id) ?? [];
    let sum = 0n;
    const broken = own.filter((entry) => {
      sum += BigInt(entry.amount);
      return entry.balance !== String(sum);
    });
    const ofHolds = holds.filter(({ account }) => account === id);
    const writes = own.length + ofHolds.length + ofHolds.filter(({ status }) => status === 'released').length;
    return [
      ...broken.map(({ at }) => `the entry of ${id} at ${at} has another balance than the entries until it`),
      ...(balance === String(sum) ? [] : [`${id} has ${balance}, and its entries sum to ${sum}`]),
      ...(revision === String(writes) ? [] : [`${id} has revision ${revision} after ${writes} writes`]),
      ...(new Set(own.map(({ at }) => at)).size === own.length
        ? []
        : [`${id} has two entries of one moment`]),
    ];
  });
}

interface Books {
  readonly accounts: readonly { readonly id: string }[];
  readonly entries: readonly Entry[];
  readonly transfers: readonly Transfer[];
  readonly holds: readonly Hold[];
}

/** The log has each change once; a reader of the time had the same, in the same order; subjects are in order. */
function faultsOfEvents(
  events: readonly LedgerEvent[],
  followed: readonly LedgerEvent[],
  { accounts, entries, transfers, holds }: Books,
): string[] {
  const openings = new Set<string>();
  const changes = [
    ...entries.flatMap(({ account, transfer, at }) => {
      const isOpening = !openings.has(account);
      openings.add(account);
      return transfer === null
        ? [`account.${isOpening ? 'created' : 'updated'} /accounts/${account} ${at}`]
        : [];
    }),
    ...transfers.map(({ id, at }) => `transfer.completed /transfers/${id} ${at}`),
    ...transfers.flatMap(({ reverses, at }) =>
      reverses === null ? [] : [`transfer.reversed /transfers/${reverses} ${at}`],
    ),
    ...holds.flatMap(({ id, status, told, at }) => [
      `hold.created /holds/${id} ${at}`,
      ...(status === 'pending' ? [] : [`hold.${status} /holds/${id}`]),
      ...(told ? [`hold.expired /holds/${id}`] : []),
    ]),
  ].toSorted();
  const logged = events
    .map(({ type, subject, time }) =>
      /^hold\.(?:captured|released|expired)$/u.test(type)
        ? `${type} ${subject}`
        : `${type} ${subject} ${time}`,
    )
    .toSorted();
  const last = new Map<string, string>();
  const disordered = events.filter(({ subject, time }) => {
    const isLater = time > (last.get(subject) ?? '');
    last.set(subject, time);
    return !isLater;
  });
  return [
    ...(openings.size === accounts.length
      ? []
      : [`${accounts.length} accounts, and entries of ${openings.size}`]),
    ...difference(changes, logged).map((change) => `not in the log: ${change}`),
    ...difference(logged, changes).map((change) => `in the log without a change: ${change}`),
    ...(new Set(events.map(({ id }) => id)).size === events.length ? [] : ['two events have one id']),
    ...disordered.map(({ type, subject }) => `${type} of ${subject} is after a later event`),
    ...events.flatMap(({ id }, place) =>
      followed[place]?.id === id
        ? []
        : [`event ${place} of the log is ${id}, and was ${followed[place]?.id}`],
    ),
    ...(followed.length > events.length ? ['a reader had events that the log has not'] : []),
  ];
}

/** The items of one list that the other lacks, counted. Both are sorted. */
function difference(all: readonly string[], others: readonly string[]): string[] {
  let place = 0;
  return all.filter((item) => {
    while ((others[place] ?? '\uffff') < item) {
      place += 1;
    }
    if (others[place] === item) {
      place += 1;
      return false;
    }
    return true;
  });
}

/** A replay of the events gives the balances of the entries, each at its moment. */
function faultsOfReplay(events: readonly LedgerEvent[], entries: readonly Entry[]): string[] {
  const balances = new Map<string, number>();
  const replayed = events
    .filter(({ type }) => type.startsWith('account.') || type === 'transfer.completed')
    .toSorted((one, other) => (one.time < other.time ? -1 : 1))
    .flatMap(({ type, time, data }) => {
      const changes: [string, number][] =
        type === 'transfer.completed'
          ? [
              [data.from_account_id, (balances.get(data.from_account_id) ?? 0) - data.amount_minor_units],
              [data.to_account_id, (balances.get(data.to_account_id) ?? 0) + data.amount_minor_units],
            ]
          : [[data.id, data.balance_minor_units]];
      return changes.map(([id, balance]) => {
        balances.set(id, balance);
        return `${id} has ${balance} at ${time}`;
      });
    })
    .toSorted();
  const entered = entries.map(({ account, balance, at }) => `${account} has ${balance} at ${at}`).toSorted();
  return [
    ...difference(entered, replayed).map((fault) => `by entries, not by events: ${fault}`),
    ...difference(replayed, entered).map((fault) => `by events, not by entries: ${fault}`),
  ];
}

const readMoments = 100;

/** The route says the same for some moments, spread over all of them. */
async function faultsOfBalancesAtMoments(
  { ledger, urls }: AuditedLedger,
  entries: readonly Entry[],
): Promise<string[]> {
  const step = Math.ceil(entries.length / readMoments);
  const faults: string[] = [];
  for (const { account, balance, at } of entries.filter((_, place) => place % step === 0)) {
    const response = await fetch(`${urls()[0]}/accounts/${account}/balance?at=${at}`, {
      headers: ledger.headers,
    });
    const text = await response.text();
    if (!text.includes(`"balance_minor_units":${balance},`)) {
      faults.push(`${account} had ${balance} at ${at}, and not ${text}`);
    }
  }
  return faults;
}

/** An acknowledged write was done once, a refused one was not, and each other one at most once. */
function faultsOfWrites(writes: readonly Write[], { accounts, entries, transfers, holds }: Books): string[] {
  const created = new Set(accounts.map(({ id }) => `/accounts/${id}`));
  const adjustments = countBy(entries, ({ account, transfer, balance }) =>
    transfer === null ? `${account} ${balance}` : '',
  );
  const byReference = countBy(transfers, ({ reference, reverses }) => `${reference} ${reverses ?? ''}`);
  const transferIds = new Set(transfers.map(({ id }) => `/transfers/${id}`));
  const holdsByReference = countBy(holds, ({ reference }) => reference);
  const statuses = new Map(holds.map(({ id, status }) => [`/holds/${id}`, status]));
  const held = new Map(holds.map(({ id, reference }) => [`/holds/${id}`, reference]));
  /** Counts a write in the store. */
  const counts: Record<Write['kind'], (write: Write) => number | undefined> = {
    create: ({ target }) => (created.has(`/accounts/${target}`) ? 1 : 0),
    put: ({ target, balance }) => adjustments.get(`${target} ${balance}`),
    transfer: ({ reference }) => byReference.get(`${reference} `),
    reversal: ({ reference, target }) =>
      byReference.get(`${reference} ${target.slice('/transfers/'.length)}`),
    hold: ({ reference = '' }) => holdsByReference.get(reference),
    // Others may have ended the hold: of these, only one is acknowledged.
    capture: ({ target }) => byReference.get(`${held.get(target)} `),
    release: ({ target }) => (statuses.get(target) === 'released' ? 1 : 0),
  };
  const ofSharedTarget = new Set(['create', 'capture', 'release']);
  const acknowledged = writes.filter(({ outcome }) => outcome === 'done');
  return [
    ...writes.flatMap((write) => {
      const { kind, target, outcome, location } = write;
      const count = counts[kind](write) ?? 0;
      const isRight =
        outcome === 'done'
          ? count === 1
          : outcome === 'unknown' || ofSharedTarget.has(kind)
            ? count <= 1
            : count === 0;
      const isThere =
        outcome !== 'done' ||
        !/^\/(?:transfers|holds)\//u.test(location) ||
        transferIds.has(location) ||
        statuses.has(location);
      return [
        ...(isRight ? [] : [`${kind} of ${target} was ${outcome}, and is there ${count} times`]),
        ...(isThere ? [] : [`${kind} of ${target} made ${location}, which is not there`]),
      ];
    }),
    ...['capture', 'release', 'reversal'].flatMap((kind) =>
      [...countBy(acknowledged, (write) => (write.kind === kind ? write.target : ''))].flatMap(
        ([target, count]) =>
          target === '' || count === 1 ? [] : [`${count} ${kind}s of ${target} were acknowledged`],
      ),
    ),
  ];
}

function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) {
    counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  }
  return counts;
}
