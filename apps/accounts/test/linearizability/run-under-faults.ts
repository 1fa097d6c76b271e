import { setTimeout as delay } from 'node:timers/promises';

import type { Operation } from './check-history.ts';

const accountCount = 3;
const writersPerAccount = 4;
/** The number of successful writes before each fault, and at the end. */
const writesBetweenFaults = 60;

export interface FaultyRun {
  /** The replicas of the service; a fault may replace them. */
  readonly urls: () => readonly string[];
  /** The headers of a caller with all scopes. */
  readonly headers: Readonly<Record<string, string>>;
  /** The faults, caused one after another while clients read and write. */
  readonly faults: readonly (() => Promise<void>)[];
}

/** The operations on one account, of all its clients. */
export interface AccountHistory {
  readonly initial: { readonly etag: string; readonly balance: number };
  readonly history: readonly Operation[];
}

/** Lets clients read and write a few accounts until every fault has passed, and records their observations. */
export async function runUnderFaults({ urls, headers, faults }: FaultyRun): Promise<AccountHistory[]> {
  let writesThatSucceeded = 0;
  const causing: Promise<void>[] = [];
  const onSuccess = () => {
    writesThatSucceeded += 1;
    const fault = faults[causing.length];
    if (fault !== undefined && writesThatSucceeded >= (causing.length + 1) * writesBetweenFaults) {
      causing.push(fault());
    }
  };
  const isOver = () =>
    causing.length === faults.length && writesThatSucceeded >= (faults.length + 1) * writesBetweenFaults;

  const ids = Array.from({ length: accountCount }, (_, index) => `account-${index}`);
  const histories = await Promise.all(
    ids.map(async (id) => {
      const initial = await create(id);
      const history: Operation[] = [];
      const clients = Array.from({ length: writersPerAccount }, (_, index) =>
        runClient({ id, history, balances: countFrom(index + 1, writersPerAccount), onSuccess, isOver }),
      );
      await Promise.all(clients);
      return { initial, history };
    }),
  );
  await Promise.all(causing);
  return histories;

  async function create(id: string) {
    const body = `{"id":"${id}","balance_minor_units":0}`;
    const response = await fetch(`${urls()[0]}/accounts`, { method: 'POST', headers, body });
    return { etag: response.headers.get('etag') ?? '', balance: 0 };
  }

  interface ClientOptions {
    readonly id: string;
    readonly history: Operation[];
    /** Balances that no other writer uses. */
    readonly balances: Iterator<number>;
    readonly onSuccess: () => void;
    readonly isOver: () => boolean;
  }

  /** Reads, writes a changed balance, and so on; each time at another replica. */
  async function runClient({ id, history, balances, onSuccess, isOver }: ClientOptions) {
    for (let turn = 0; !isOver(); turn += 1) {
      const replicas = urls();
      const account = `${replicas[turn % replicas.length]}/accounts/${id}`;
      const seen = await read(account, history);
      if (seen === undefined) {
        // Waits, because the replica comes back.
        await delay(20);
        continue;
      }
      const balance = Number(balances.next().value);
      const startMs = performance.now();
      const outcome = await write(account, seen, balance);
      history.push({ kind: 'write', from: seen, balance, outcome, startMs, endMs: performance.now() });
      if (typeof outcome === 'object') {
        onSuccess();
      }
    }
  }

  async function read(account: string, history: Operation[]): Promise<string | undefined> {
    const startMs = performance.now();
    try {
      const response = await fetch(account, { headers });
      if (response.status !== 200) {
        await response.text();
        return undefined;
      }
      const { balance_minor_units: balance } = (await response.json()) as { balance_minor_units: number };
      const etag = response.headers.get('etag') ?? '';
      history.push({ kind: 'read', etag, balance, startMs, endMs: performance.now() });
      return etag;
    } catch {
      return undefined;
    }
  }

  async function write(account: string, etag: string, balance: number) {
    try {
      const response = await fetch(account, {
        method: 'PUT',
        headers: { ...headers, 'If-Match': etag },
        body: `{"balance_minor_units":${balance}}`,
      });
      await response.text();
      if (response.status === 200) {
        return { to: response.headers.get('etag') ?? '' };
      }
      // Only a 500 leaves open whether it was written.
      return response.status === 500 ? 'unknown' : 'refused';
    } catch {
      return 'unknown';
    }
  }
}

function* countFrom(first: number, step: number): Generator<number> {
  for (let value = first; ; value += step) {
    yield value;
  }
}

/** The outcomes of the writes in these histories, each once. */
export function writeOutcomes(histories: readonly AccountHistory[]): Set<string> {
  return new Set(
    histories.flatMap(({ history }) =>
      history.flatMap((operation) =>
        operation.kind === 'write'
          ? [typeof operation.outcome === 'object' ? 'written' : operation.outcome]
          : [],
      ),
    ),
  );
}
