import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startServiceProcess } from '@meridian/testing';
import type { ServiceProcess } from '@meridian/testing';

import { startIsolatedStore } from '../isolated-store.ts';
import type { IsolatedStore } from '../isolated-store.ts';
import { faultsOf } from './check-history.ts';
import type { Operation } from './check-history.ts';

const main = new URL('../../src/main.ts', import.meta.url);
const accountCount = 3;
const writersPerAccount = 4;
/** The number of successful writes before each fault, and at the end. */
const writesBetweenFaults = 60;

describe('Many concurrent writers and readers of few accounts, while every component fails once,', () => {
  let store: IsolatedStore;
  let replicas: ServiceProcess[] = [];
  beforeAll(async () => {
    store = await startIsolatedStore();
    replicas = await Promise.all([
      startServiceProcess(main, store.environment),
      startServiceProcess(main, store.environment),
    ]);
  });
  afterAll(async () => {
    for (const { child } of replicas) {
      child.kill('SIGKILL');
    }
    await Promise.all(replicas.map(({ exited }) => exited));
    await store.stop();
  });

  const faults: (() => Promise<void>)[] = [
    async function everyConnectionIsCut() {
      await store.admin(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'accounts'`,
      );
    },
    async function theStoreStopsAndGoesOn() {
      const stopped = store.postgres.processIds();
      for (const pid of stopped) {
        process.kill(pid, 'SIGSTOP');
      }
      // Longer than the deadline of a request.
      await delay(1_300);
      for (const pid of stopped) {
        process.kill(pid, 'SIGCONT');
      }
    },
    async function theAccountsAreLockedForLong() {
      // Longer than the deadline of a request: writers in the meantime get 500.
      await store.admin('begin; lock table accounts in share mode; select from pg_sleep(1.3); rollback');
    },
    async function aServiceIsKilledAndComesBack() {
      replicas[0]?.child.kill('SIGKILL');
      await replicas[0]?.exited;
      replicas[0] = await startServiceProcess(main, store.environment);
    },
    async function theServerCrashesAndRecovers() {
      const { rows } = await store.admin<{ pid: number }>(
        `select pid from pg_stat_activity where application_name = 'accounts' limit 1`,
      );
      // A backend that dies takes all others with it: the postmaster restarts them from the log.
      if (rows[0] !== undefined) {
        process.kill(rows[0].pid, 'SIGKILL');
      }
    },
  ];

  it('keep one unbranched chain of writes, and every read fits real time', async () => {
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
    const outcomes = new Set<string>();
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

    for (const { initial, history } of histories) {
      expect(faultsOf(initial, history)).toEqual([]);
      for (const operation of history) {
        if (operation.kind === 'write') {
          outcomes.add(typeof operation.outcome === 'object' ? 'written' : operation.outcome);
        }
      }
    }
    // The faults were real: there were races, and writes whose outcome nobody knows.
    expect(outcomes).toEqual(new Set(['written', 'refused', 'unknown']));
  });

  async function create(id: string) {
    const body = `{"id":"${id}","balance_minor_units":0}`;
    const response = await fetch(`${replicas[0]?.url}/accounts`, {
      method: 'POST',
      headers: store.headers,
      body,
    });
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

  /** Reads, writes what it read plus something, and again; each time at another replica. */
  async function runClient({ id, history, balances, onSuccess, isOver }: ClientOptions) {
    for (let turn = 0; !isOver(); turn += 1) {
      const account = `${replicas[turn % replicas.length]?.url}/accounts/${id}`;
      const seen = await read(account, history);
      if (seen === undefined) {
        // Whatever is down comes back; a client that hurries would only burn its own time.
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
      const response = await fetch(account, { headers: store.headers });
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
        headers: { ...store.headers, 'If-Match': etag },
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
});

function* countFrom(first: number, step: number): Generator<number> {
  for (let value = first; ; value += step) {
    yield value;
  }
}
