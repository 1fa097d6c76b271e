import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';

import { Client } from 'pg';

import type { HttpLoad } from '../harness/http-contender.ts';
import type { Contender } from '../harness/measure-in-slices.ts';
import { cpuSeconds } from '../harness/process-cost.ts';
import type { Accounts } from './create-accounts.ts';

export interface PgbenchOptions extends HttpLoad {
  readonly accounts: Accounts;
  /** It writes so many of them, the first ones. */
  readonly count: number;
  /** Of the PostgreSQL's administrator. */
  readonly adminUrl: string;
}

/**
 * The machine's pgbench (Debian: postgresql-contrib) as a contender: it runs during its slices, and is stopped in
 * between. Like the service it prepares no statement ahead. Its latency is the mean of a slice.
 */
export function pgbenchContender(options: PgbenchOptions): Contender {
  const admin = new Client(options.adminUrl);
  let started: StartedPgbench | undefined;
  let perMs = 1;
  const runFor = async (durationMs: number): Promise<{ requests: number; latenciesMs: number[] }> => {
    const before = await transactionsOf(admin);
    const startedMs = performance.now();
    started?.child.kill('SIGCONT');
    await delay(durationMs);
    started?.child.kill('SIGSTOP');
    const elapsedMs = performance.now() - startedMs;
    await untilIdle(admin);
    const requests = (await transactionsOf(admin)) - before;
    if (requests === 0) {
      throw new Error('pgbench wrote nothing');
    }
    perMs = requests / elapsedMs;
    return { requests, latenciesMs: [options.connections / perMs] };
  };
  return {
    name: 'pgbench',
    cpuSeconds: () => cpuSeconds(started?.pid ?? Number.NaN),
    async warmUp() {
      await admin.connect();
      started = await startPgbench(options);
      return runFor(2000);
    },
    runSlice: () => runFor(options.requests / perMs),
    async close() {
      await started?.end();
      await admin.end();
    },
  };
}

const applicationName = 'meridian-pgbench';

/** Each client writes accounts of its own, one after another. */
function scriptOf({ accounts: { tenantId }, count, connections }: PgbenchOptions): string {
  const ofClient = Math.floor(count / connections);
  return `\\set i :i + 1
\\set n :client_id * ${ofClient} + :i % ${ofClient}
select revision from find_account('${tenantId}', 'account-' || :n) \\gset
select * from swap_account('${tenantId}', 'account-' || :n, :revision, :i);
`;
}

interface StartedPgbench {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly end: () => Promise<void>;
}

async function startPgbench(options: PgbenchOptions): Promise<StartedPgbench> {
  const directory = await mkdtemp(join(tmpdir(), 'meridian-pgbench-'));
  const script = join(directory, 'put.sql');
  await writeFile(script, scriptOf(options));
  const url = new URL(options.accounts.url);
  const flags = ['--no-vacuum', '--protocol=extended', `--client=${options.connections}`, '--jobs=1'];
  const child = spawn(
    'pgbench',
    [...flags, '--define=i=-1', '--time=86400', `--file=${script}`, url.pathname.slice(1)],
    {
      env: {
        PATH: process.env['PATH'],
        PGAPPNAME: applicationName,
        PGHOST: url.hostname,
        PGPORT: url.port,
        PGUSER: url.username,
        PGPASSWORD: url.password,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const { pid } = child;
  if (pid === undefined) {
    child.on('error', () => {});
    await rm(directory, { recursive: true });
    throw new Error('pgbench does not start');
  }
  const ended = once(child, 'exit');
  return {
    child,
    pid,
    async end() {
      child.kill('SIGKILL');
      await ended;
      await rm(directory, { recursive: true });
    },
  };
}

/** The number of transactions that have written something so far, in all databases. */
async function transactionsOf(admin: Client): Promise<number> {
  const { rows } = await admin.query<{ next: string }>(
    'select pg_snapshot_xmax(pg_current_snapshot())::text as next',
  );
  return Number(rows[0]?.next);
}

/** PostgreSQL finishes what a stopped pgbench has sent. */
async function untilIdle(admin: Client): Promise<void> {
  const active = `select from pg_stat_activity where application_name = '${applicationName}' and state = 'active'`;
  for (;;) {
    const { rowCount } = await admin.query(active);
    if (rowCount === 0) {
      return;
    }
  }
}
