// Opens two accounts, and moves money between them: write, transfer, hold, capture, reverse, then what the log has.
import { randomUUID } from 'node:crypto';
import process from 'node:process';

import { createAccountsClient } from './accounts-client.ts';

const accounts = createAccountsClient('http://127.0.0.1:4001', process.env['TOKEN'] ?? '');
const once = () => ({ header: { 'Idempotency-Key': randomUUID() } });

async function openAccount(balance_minor_units: bigint): Promise<string> {
  return dataOf(await accounts.POST('/accounts', { body: { balance_minor_units }, params: once() })).id;
}

/** The data of a response. It is undefined for a problem, and for a response without a body. */
function dataOf<Data>({ data, error }: { data?: Data; error?: { type: string; detail: string } }): Data {
  if (data === undefined) {
    throw new Error(error?.detail ?? 'The response has no body.');
  }
  return data;
}

const start = dataOf(await accounts.GET('/events', { params: { query: { after: 'now' } } })).next_cursor;
const [rent, savings] = [await openAccount(2n ** 53n + 1n), await openAccount(0n)];
const path = { id: rent };

// Compare-and-swap: the write has the ETag of the read.
const read = await accounts.GET('/accounts/{id}', { params: { path } });
const body = { balance_minor_units: dataOf(read).balance_minor_units + 1000n };
const write = () =>
  accounts.PUT('/accounts/{id}', {
    params: {
      path,
      header: { 'If-Match': read.response.headers.get('ETag') ?? '', Prefer: 'return=representation' },
    },
    body,
  });
console.log(`written: ${dataOf(await write()).balance_minor_units}`);
console.log(`written again: ${(await write()).error?.type.split('/').at(-1)}`);

const transfer = dataOf(
  await accounts.POST('/accounts/{id}/transfers', {
    params: { path, ...once() },
    body: { to_account_id: savings, amount_minor_units: 2500n, reference: 'November' },
  }),
);
const hold = dataOf(
  await accounts.POST('/accounts/{id}/holds', {
    params: { path, ...once() },
    body: { amount_minor_units: 9000n },
  }),
);
const capture = dataOf(
  await accounts.POST('/holds/{id}/captures', {
    params: { path: { id: hold.id }, ...once() },
    body: { to_account_id: savings, amount_minor_units: 8500n },
  }),
);
console.log(`captured: ${capture.amount_minor_units} of ${hold.amount_minor_units}`);
const reversal = dataOf(
  await accounts.POST('/transfers/{id}/reversals', { params: { path: { id: transfer.id }, ...once() } }),
);
console.log(`reversed: ${reversal.reverses === transfer.id}`);

const { items: entries } = dataOf(await accounts.GET('/accounts/{id}/entries', { params: { path } }));
console.log(`entries: ${entries.map((entry) => entry.amount_minor_units).join(', ')}`);
console.log(`balance: ${entries[0]?.balance_minor_units}`);

const { items: events } = dataOf(
  await accounts.GET('/events', { params: { query: { after: start, limit: 100 } } }),
);
console.log(`events: ${events.map((event) => event.type).join(', ')}`);
