import { createCursors } from '@meridian/rest';
import { Client } from 'pg';

import { httpContender } from '../harness/http-contender.ts';
import type { HttpLoad } from '../harness/http-contender.ts';
import type { Contender } from '../harness/measure-in-slices.ts';
import type { Accounts } from './create-accounts.ts';
import { etagKey } from './start-servers.ts';
import type { Server } from './start-servers.ts';

/** Two accounts, one with few entries and one with many, of one a second until now. */
export interface Histories {
  readonly tenantId: string;
  /** Of their database, as administrator. */
  readonly url: string;
  readonly accounts: readonly History[];
}

interface History {
  readonly id: string;
  readonly entries: number;
  /** The time of the entry in the middle: RFC 3339, in UTC, with microseconds. */
  readonly middle: string;
}

const fewEntries = 100;

export async function createHistories(
  { url: serviceUrl, tenantId }: Accounts,
  { adminUrl, entries }: { readonly adminUrl: string; readonly entries: number },
): Promise<Histories> {
  const url = new URL(adminUrl);
  url.pathname = new URL(serviceUrl).pathname;
  const admin = new Client(url.href);
  await admin.connect();
  try {
    const accounts: History[] = [];
    for (const count of [fewEntries, entries]) {
      const id = `history-${count}`;
      await admin.query(
        `insert into accounts (tenant_id, id, balance_minor_units, created_at, last_entry_utc)
         values ($1, $2, $3::int, now() - $3::int * interval '1 second', now() at time zone 'UTC')`,
        [tenantId, id, count],
      );
      await admin.query(
        `insert into ledger_entries (tenant_id, account_id, amount_minor_units, balance_minor_units, created_at)
         select $1, $2, 1, n, now() - ($3::int - n) * interval '1 second' from generate_series(1, $3::int) n`,
        [tenantId, id, count],
      );
      const { rows } = await admin.query<{ middle: string }>(
        `select utc_text(created_at) as middle from ledger_entries
         where tenant_id = $1 and account_id = $2 and balance_minor_units = $3`,
        [tenantId, id, Math.ceil(count / 2)],
      );
      accounts.push({ id, entries: count, middle: rows[0]?.middle ?? '' });
    }
    await admin.query('vacuum analyze accounts, ledger_entries');
    await admin.query('checkpoint');
    return { tenantId, url: url.href, accounts };
  } finally {
    await admin.end();
  }
}

/** Pages of 50 entries, at the start and in the middle, and the balance in the middle. */
export function historyContenders(
  { tenantId, accounts }: Histories,
  { server, token, ...load }: HttpLoad & { readonly server: Server; readonly token: string },
): Contender[] {
  const cursors = createCursors({ keys: [etagKey] });
  return accounts.flatMap(({ id, entries, middle }) => {
    const path = `/accounts/${id}`;
    const collection = `${path}/entries`;
    const cursor = cursors.seal({ tenantId, collection, filter: '' }, [middle, '0']);
    const reads = {
      'first page': collection,
      'page in the middle': `${collection}?cursor=${cursor}`,
      'balance in the middle': `${path}/balance?at=${middle}`,
    };
    return Object.entries(reads).map(([name, target]) =>
      httpContender(
        {
          name: `${name}, of ${entries}`,
          pids: [server.pid],
          requestOf: () => ({
            method: 'GET',
            url: `${server.url}${target}`,
            headers: { authorization: `Bearer ${token}` },
          }),
        },
        load,
      ),
    );
  });
}

/** The blocks that PostgreSQL reads for each of them: its name, and their number. */
export async function historyBlocks({ tenantId, url, accounts }: Histories): Promise<string[][]> {
  const admin = new Client(url);
  await admin.connect();
  try {
    const rows: string[][] = [];
    for (const { id, entries, middle } of accounts) {
      const reads = {
        'first page': `list_entries('${tenantId}', '${id}', null, null, 51)`,
        'page in the middle': `list_entries('${tenantId}', '${id}', '${middle}', 0, 51)`,
        'balance in the middle': `find_balance_at('${tenantId}', '${id}', '${middle}')`,
      };
      for (const [name, call] of Object.entries(reads)) {
        rows.push([`${name}, of ${entries}`, String(await blocksOf(admin, call))]);
      }
    }
    return rows;
  } finally {
    await admin.end();
  }
}

async function blocksOf(admin: Client, call: string): Promise<number> {
  // The first call in a session plans, and reads the catalog.
  await admin.query(`select * from ${call}`);
  const { rows } = await admin.query<{
    'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }];
  }>(`explain (analyze, buffers, format json) select * from ${call}`);
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
}
