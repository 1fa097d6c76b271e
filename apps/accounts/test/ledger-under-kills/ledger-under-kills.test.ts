// 200 writers of all kinds, while replicas of the service and PostgreSQL are killed; then the audit. Each fault happens
// once. With LEDGER_SECONDS they go on for that long.
import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startServiceProcess } from '@meridian/testing';
import type { ServiceProcess } from '@meridian/testing';

import { startIsolatedStore } from '../isolated-store.ts';
import type { IsolatedStore } from '../isolated-store.ts';
import { auditLedger, untilNoHoldExpires } from './audit-ledger.ts';
import { followEvents } from './follow-events.ts';
import { newLedger, writeLedgers } from './write-ledger.ts';
import type { WrittenLedger } from './write-ledger.ts';

const main = new URL('../../src/main.ts', import.meta.url);
const seconds = Number(process.env['LEDGER_SECONDS'] ?? 0);
/** Acknowledged writes before each fault, and after the last one. */
const writesBetweenFaults = 150;

describe('The ledgers of three tenants, written by 200 clients under kills,', () => {
  let store: IsolatedStore;
  const replicas: ServiceProcess[] = [];
  const urls = () => replicas.map(({ url }) => url);
  let ledgers: WrittenLedger[] = [];
  const start = () =>
    startServiceProcess(main, {
      ...store.environment,
      TENANT_REQUESTS_PER_SECOND: '100000',
      MAX_REQUESTS_IN_FLIGHT: '400',
      MAX_TENANT_REQUESTS_IN_FLIGHT: '200',
    });
  beforeAll(async () => {
    store = await startIsolatedStore({ requestDeadlineMs: 5000, canCrash: true });
    replicas.push(await start(), await start());
    ledgers = await Promise.all(
      ['acme', 'globex', 'initech'].map(async (tenant) => newLedger(tenant, await store.headersOf(tenant))),
    );
  });
  afterAll(async () => {
    for (const { child } of replicas) {
      child.kill('SIGKILL');
    }
    await Promise.all(replicas.map(({ exited }) => exited));
    await store.stop();
  });

  const replace = (replica: number) => async () => {
    replicas[replica]?.child.kill('SIGKILL');
    await replicas[replica]?.exited;
    replicas[replica] = await start();
  };
  const faults: (() => Promise<unknown>)[] = [
    replace(0),
    async function theServerCrashesAndRecovers() {
      const { rows } = await store.admin<{ pid: number }>(
        `select pid from pg_stat_activity where application_name = 'accounts' limit 1`,
      );
      // A backend that dies takes all others with it: the postmaster restarts them from the log.
      if (rows[0] !== undefined) {
        process.kill(rows[0].pid, 'SIGKILL');
      }
    },
    replace(1),
    () => store.crash(),
    async function everyConnectionIsCut() {
      await store.admin(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'accounts'`,
      );
    },
  ];

  it(
    'balance, as their entries, their events and their clients say',
    async () => {
      const endsMs = performance.now() + seconds * 1000;
      let done = 0;
      let caused = 0;
      let isOver = false;
      const follow = Promise.all(ledgers.map(({ headers }) => followEvents(urls, headers, () => isOver)));
      const write = writeLedgers({
        urls,
        ledgers,
        writers: 200,
        isOver: () =>
          caused >= faults.length && done >= (caused + 1) * writesBetweenFaults && performance.now() > endsMs,
        onDone: () => (done += 1),
      });
      const cause = async () => {
        const isDue = () => done >= (caused + 1) * writesBetweenFaults;
        while (caused < faults.length || performance.now() < endsMs) {
          if (isDue()) {
            await faults[caused % faults.length]?.();
            caused += 1;
          }
          await delay(20);
        }
      };
      await Promise.all([write, cause()]);
      await untilNoHoldExpires(store.admin);
      isOver = true;
      const followed = await follow;

      for (const [place, ledger] of ledgers.entries()) {
        const audited = { ledger, followed: followed[place] ?? [], urls, admin: store.admin };
        expect(await auditLedger(audited)).toEqual([]);
      }
      // The faults were real: there were races, and writes of unknown outcome.
      const outcomes = ledgers.flatMap(({ writes }) => writes.map(({ outcome }) => outcome));
      expect(new Set(outcomes)).toEqual(new Set(['done', 'refused', 'unknown']));
      if (seconds > 0) {
        const count = (of: string) => outcomes.filter((outcome) => outcome === of).length;
        const told = followed.reduce((sum, events) => sum + events.length, 0);
        process.stderr.write(
          `${caused} faults, ${count('done')} writes done, ${count('refused')} refused, ${count('unknown')} unknown, ${told} events\n`,
        );
      }
    },
    240_000 + seconds * 2000,
  );
});
