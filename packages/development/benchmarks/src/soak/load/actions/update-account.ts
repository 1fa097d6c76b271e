import { sendRestRequest } from '../send-rest-request.ts';
import type { RestRequest } from '../send-rest-request.ts';
import { untilSettled } from '../session.ts';
import type { Session } from '../session.ts';

/** The expected state of an account that one client writes. */
export interface Account {
  readonly id: string;
  isThere: boolean;
  balance: bigint;
}

export function accountOf(tenantId: string, clientIndex: number): Account {
  return { id: `soak-${tenantId}-${clientIndex}`, isThere: false, balance: 0n };
}

/** Reads the account, and swaps its balance with the validator. A second swap with the same validator must fail. */
export async function updateAccount(session: Session, account: Account): Promise<void> {
  if (!account.isThere) {
    return await openAccount(session, account);
  }
  const etag = await readAccount(session, account);
  if (etag === undefined) {
    return;
  }
  const validator = { 'If-None-Match': etag };
  await sendRestRequest(session, { ...requestFor(account), method: 'GET', headers: validator, status: 304 });
  // Beyond what a double holds exactly.
  const balance = 2n ** 53n + BigInt(Math.floor(Math.random() * 2 ** 40)) * 1001n;
  const swap = { ...requestFor(account), method: 'PUT', body: bodyOf(balance) } as const;
  const swapped = await sendRestRequest(session, { ...swap, headers: { 'If-Match': etag }, status: 200 });
  if (swapped === undefined) {
    return await learnBalance(session, account, balance);
  }
  account.balance = balance;
  if (swapped.headers['etag'] === etag) {
    session.load.tally.fault('an account: its ETag stayed the same when it was written');
  }
  await sendRestRequest(session, {
    ...swap,
    headers: { 'If-Match': etag },
    status: 412,
    problem: 'stale-etag',
  });
  await sendRestRequest(session, { ...swap, status: 428, problem: 'if-match-required' });
}

async function openAccount(session: Session, account: Account): Promise<void> {
  const opening = {
    name: 'a new account',
    service: 'accounts',
    method: 'POST',
    path: '/accounts',
    body: `{"id":"${account.id}","balance_minor_units":0}`,
  } as const;
  if ((await sendRestRequest(session, { ...opening, status: 201 })) === undefined) {
    // It may exist or not; a new identifier certainly does not.
    await untilSettled(session);
    Object.assign(account, { id: `${account.id}-again` });
    return;
  }
  account.isThere = true;
  await sendRestRequest(session, { ...opening, status: 409, problem: 'account-already-exists' });
}

/** Returns the validator, if the account is as expected. */
async function readAccount(session: Session, account: Account): Promise<string | undefined> {
  const read = await sendRestRequest(session, { ...requestFor(account), method: 'GET', status: 200 });
  const etag = read?.headers['etag'];
  if (read === undefined || typeof etag !== 'string') {
    return undefined;
  }
  if (read.body !== bodyOf(account.balance, account.id)) {
    session.load.tally.fault(`an account: ${read.body} instead of a balance of ${account.balance}`);
    return undefined;
  }
  return etag;
}

/** Determines the outcome of an unknown write: it has happened, or not. */
async function learnBalance(session: Session, account: Account, written: bigint): Promise<void> {
  for (;;) {
    await untilSettled(session);
    if (session.load.signal.aborted) {
      return;
    }
    const read = await sendRestRequest(session, { ...requestFor(account), method: 'GET', status: 200 });
    if (read !== undefined) {
      account.balance = read.body === bodyOf(written, account.id) ? written : account.balance;
      if (read.body !== bodyOf(account.balance, account.id)) {
        session.load.tally.fault(`an account: ${read.body} after a write of unknown outcome`);
      }
      return;
    }
  }
}

function requestFor({ id }: Account): Pick<RestRequest, 'name' | 'service' | 'path'> {
  return { name: 'an account', service: 'accounts', path: `/accounts/${id}` };
}

/** Keeps all digits; a double would round them. */
function bodyOf(balance: bigint, id?: string): string {
  const identity = id === undefined ? '' : `"id":"${id}",`;
  return `{${identity}"balance_minor_units":${balance}}`;
}
