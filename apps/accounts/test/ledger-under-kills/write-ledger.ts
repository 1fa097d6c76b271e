// Clients that write the ledgers of several tenants in every way, and record the outcome of each write.
import { setTimeout as delay } from 'node:timers/promises';

import { createRandom } from '@meridian/testing';
import type { Random } from '@meridian/testing';

/** A write, by what it leaves in the store where it was done: a balance that only it sets, or a reference of its own. */
export interface Write {
  readonly kind: 'create' | 'put' | 'transfer' | 'hold' | 'capture' | 'release' | 'reversal';
  /** The account, transfer or hold that was written to. */
  readonly target: string;
  readonly balance?: number;
  readonly reference?: string;
  /** `unknown`: the response did not come, or was a 500. */
  readonly outcome: 'done' | 'refused' | 'unknown';
  /** The path of what it made. */
  readonly location: string;
}

/** The knowledge that one tenant's clients share. */
export interface WrittenLedger {
  readonly tenant: string;
  /** Starts all identifiers and references. */
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly writes: Write[];
  readonly accounts: string[];
  readonly transfers: string[];
  readonly holds: string[];
  /** Responses that no write should get. */
  readonly faults: string[];
}

export interface LedgerWriters {
  /** The replicas of the service; they may be replaced meanwhile. */
  readonly urls: () => readonly string[];
  readonly ledgers: readonly WrittenLedger[];
  /** In all, spread over the ledgers. */
  readonly writers: number;
  readonly isOver: () => boolean;
  /** Called after each write that was acknowledged. */
  readonly onDone: () => void;
  /** Aborts where the test has failed: then the writers stop at once, and `writeLedgers` rejects. */
  readonly signal?: AbortSignal;
}

export function newLedger(
  tenant: string,
  headers: Readonly<Record<string, string>>,
  name = tenant,
): WrittenLedger {
  return { tenant, name, headers, writes: [], accounts: [], transfers: [], holds: [], faults: [] };
}

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The ways to write, as often as they are listed. */
const kinds = [
  'create',
  'put',
  'put',
  'put',
  'transfer',
  'transfer',
  'hold',
  'hold',
  'capture',
  'release',
  'reversal',
] as const;
const accountsAtFirst = 6;
/** So that some expire while they are used. */
const shortestHoldMs = 200;

/** Writes until it is over. Each ledger then has what its clients know of it. */
export async function writeLedgers(options: LedgerWriters): Promise<void> {
  const { urls, ledgers, writers, isOver, onDone, signal = null } = options;
  for (const ledger of ledgers) {
    for (let count = 0; count < accountsAtFirst; count += 1) {
      await createAccount(ledger, `${ledger.name}-first-${count}`);
    }
    if (ledger.accounts.length === 0) {
      throw new Error(`No account of ${ledger.name} could be created: ${JSON.stringify(ledger.writes)}`);
    }
  }
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      const ledger = ledgers[writer % ledgers.length];
      if (ledger === undefined) {
        throw new Error('There is no ledger to write to');
      }
      const random = createRandom(`writer ${writer}`);
      for (let turn = 0; !isOver(); turn += 1) {
        await write(ledger, random, `${ledger.name}-${writer}-${turn}`);
      }
    }),
  );

  /** Sends a request to any replica. Undefined without a response. */
  async function send(
    ledger: WrittenLedger,
    path: string,
    init: {
      readonly method?: string;
      readonly body?: string;
      readonly headers?: Record<string, string>;
    } = {},
  ): Promise<Reply | undefined> {
    const replicas = urls();
    const url = replicas[sent++ % replicas.length];
    const headers = { ...ledger.headers, ...init.headers };
    const reply = await fetch(`${url}${path}`, { ...init, headers, signal })
      .then(async (response) => ({
        status: response.status,
        headers: response.headers,
        text: await response.text(),
      }))
      .catch(() => undefined);
    signal?.throwIfAborted();
    if (reply === undefined || reply.status >= 500) {
      // The replica or the database comes back.
      await delay(50);
    }
    return reply;
  }

  /** Sends the request with an Idempotency-Key again until its outcome is known; at times twice at once. */
  async function sendUntilKnown(
    ledger: WrittenLedger,
    path: string,
    body: string,
    key: string,
    isTwice: boolean,
  ) {
    const request = { method: 'POST', body, headers: { 'Idempotency-Key': key } };
    for (;;) {
      const sends = isTwice ? [send, send] : [send];
      const replies = await Promise.all(sends.map((once) => once(ledger, path, request)));
      const known = replies.filter((reply) => reply !== undefined && isKnown(reply));
      if (known.length === 2 && known[0]?.headers.get('location') !== known[1]?.headers.get('location')) {
        ledger.faults.push(
          `${key} made two: ${known.map((one) => one?.headers.get('location')).join(' and ')}`,
        );
      }
      if (known[0] !== undefined) {
        return known[0];
      }
    }
  }

  async function createAccount(ledger: WrittenLedger, id: string): Promise<void> {
    const body = `{"id":"${id}","balance_minor_units":1000}`;
    const reply = await send(ledger, '/accounts', { method: 'POST', body });
    const outcome = outcomeOf(ledger, 'create', reply);
    ledger.writes.push({ kind: 'create', target: id, outcome, location: locationOf(reply) });
    if (outcome === 'done') {
      ledger.accounts.push(id);
      onDone();
    }
  }

  async function put(ledger: WrittenLedger, id: string, reference: string): Promise<void> {
    const read = await send(ledger, `/accounts/${id}`);
    if (read?.status !== 200) {
      return;
    }
    puts += 1;
    const balance = 1_000_000_000 + puts;
    const reply = await send(ledger, `/accounts/${id}`, {
      method: 'PUT',
      headers: { 'If-Match': read.headers.get('etag') ?? '' },
      body: `{"balance_minor_units":${balance}}`,
    });
    const outcome = outcomeOf(ledger, 'put', reply);
    ledger.writes.push({ kind: 'put', target: id, balance, reference, outcome, location: '' });
    if (outcome === 'done') {
      onDone();
    }
  }

  async function post(
    ledger: WrittenLedger,
    write: Pick<Write, 'kind' | 'target'> & {
      readonly path: string;
      readonly body: object;
      readonly made: string[];
    },
    {
      reference,
      isKeyed,
      isTwice,
    }: { readonly reference: string; readonly isKeyed: boolean; readonly isTwice: boolean },
  ): Promise<void> {
    const { kind, target, path, made } = write;
    const body = JSON.stringify(write.body);
    const reply = isKeyed
      ? await sendUntilKnown(ledger, path, body, reference, isTwice)
      : await send(ledger, path, { method: 'POST', body });
    const outcome = outcomeOf(ledger, kind, reply);
    const location = locationOf(reply);
    ledger.writes.push({ kind, target, reference, outcome, location });
    if (outcome === 'done') {
      made.push(location);
      onDone();
    }
  }

  async function write(ledger: WrittenLedger, random: Random, reference: string): Promise<void> {
    const [from, to] = [random.pick(ledger.accounts), random.pick(ledger.accounts)];
    const amount = 1 + random.below(50);
    const how = { reference, isKeyed: random.chance(0.7), isTwice: random.chance(0.3) };
    const kind = random.pick(kinds);
    const hold = ledger.holds[random.below(ledger.holds.length)];
    const transfer = ledger.transfers[random.below(ledger.transfers.length)];
    if (kind === 'create') {
      // So few that most writers meet on an account.
      await (random.chance(0.1) ? createAccount(ledger, reference) : put(ledger, from, reference));
    } else if (kind === 'put') {
      await put(ledger, from, reference);
    } else if (kind === 'hold') {
      const expiry = new Date(Date.now() + shortestHoldMs * (1 + random.below(20))).toISOString();
      const body = {
        amount_minor_units: amount,
        reference,
        ...(random.chance(0.5) && { expires_at: expiry }),
      };
      await post(
        ledger,
        { kind, target: from, path: `/accounts/${from}/holds`, body, made: ledger.holds },
        how,
      );
    } else if (kind === 'capture' && hold !== undefined) {
      const body = { to_account_id: to };
      await post(ledger, { kind, target: hold, path: `${hold}/captures`, body, made: ledger.transfers }, how);
    } else if (kind === 'release' && hold !== undefined) {
      await post(ledger, { kind, target: hold, path: `${hold}/releases`, body: {}, made: [] }, how);
    } else if (kind === 'reversal' && transfer !== undefined) {
      const body = { reference };
      await post(
        ledger,
        { kind, target: transfer, path: `${transfer}/reversals`, body, made: ledger.transfers },
        how,
      );
    } else {
      const body = { to_account_id: to, amount_minor_units: amount, reference };
      const path = `/accounts/${from}/transfers`;
      await post(ledger, { kind: 'transfer', target: from, path, body, made: ledger.transfers }, how);
    }
  }
}

let sent = 0;
let puts = 0;

const rejections = new Set([409, 412, 422, 503, 504]);

function outcomeOf(ledger: WrittenLedger, kind: Write['kind'], reply: Reply | undefined): Write['outcome'] {
  if (reply === undefined || reply.status === 500) {
    return 'unknown';
  }
  if (reply.status === 200 || reply.status === 201) {
    return 'done';
  }
  // On its way for longer than it was to last.
  const isExpired = reply.status === 400 && reply.text.includes('expires_at is not a time from now');
  if (!rejections.has(reply.status) && !isExpired) {
    ledger.faults.push(`${kind}: ${reply.status} ${reply.text}`);
  }
  return 'refused';
}

/** False for a response after which a client sends its request again. */
function isKnown({ status, text }: Reply): boolean {
  return status !== 500 && status !== 503 && status !== 504 && !text.includes('idempotency-key-in-flight');
}

function locationOf(reply: Reply | undefined): string {
  return reply?.headers.get('location') ?? '';
}
