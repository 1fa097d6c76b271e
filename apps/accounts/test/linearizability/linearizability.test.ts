import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startServiceProcess } from '@meridian/testing';
import type { ServiceProcess } from '@meridian/testing';

import { startIsolatedStore } from '../isolated-store.ts';
import type { IsolatedStore } from '../isolated-store.ts';
import { faultsOf } from './check-history.ts';
import { runUnderFaults, writeOutcomes } from './run-under-faults.ts';

const main = new URL('../../src/main.ts', import.meta.url);

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
      const stopped = store.processIds();
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
    const histories = await runUnderFaults({
      urls: () => replicas.map(({ url }) => url),
      headers: store.headers,
      faults,
    });

    for (const { initial, history } of histories) {
      expect(faultsOf(initial, history)).toEqual([]);
    }
    // The faults were real: there were races, and writes of unknown outcome.
    expect(writeOutcomes(histories)).toEqual(new Set(['written', 'refused', 'unknown']));
  });
});
