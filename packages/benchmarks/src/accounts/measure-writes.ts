import process from 'node:process';

import type { RunningPostgres } from '@meridian/postgres';

import type { Request } from '../harness/clients.ts';
import { openClients } from '../harness/clients.ts';
import { markdownTable } from '../harness/markdown-table.ts';
import { endedChildrenCpuSeconds, serverCpuSeconds } from '../harness/postgres-cost.ts';
import { cpuSeconds } from '../harness/process-cost.ts';
import { shuffled } from '../harness/shuffled.ts';
import { warmUp } from '../harness/warm-up.ts';
import type { Accounts } from './create-accounts.ts';
import { runPgbench } from './pgbench.ts';
import { etagOf } from './read-contenders.ts';
import type { Server, Servers } from './start-servers.ts';

interface WriteOptions {
  readonly few: Accounts;
  readonly many: Accounts;
  readonly servers: Servers;
  readonly postgres: Pick<RunningPostgres, 'processIds'>;
  readonly token: string;
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  readonly note: (line: string) => void;
}

/**
 * Measures PUT in turn with pgbench, which sends the same two statements over as many connections. Prints the
 * writes per second, and per CPU second of PostgreSQL and its client (pgbench, or the service), as a table.
 */
export async function measureWrites(options: WriteOptions): Promise<string> {
  const { few, many, servers, rounds, note } = options;
  const contenders: Contender[] = [
    { name: 'pgbench', run: () => pgbench(few, options), rounds: [] },
    { name: 'PUT', ...putting(servers.few, few, options), rounds: [] },
    { name: `pgbench on ${many.count}`, run: () => pgbench(many, options), rounds: [] },
    { name: `PUT on ${many.count}`, ...putting(servers.many, many, options), rounds: [] },
  ];
  for (const contender of contenders) {
    note(`warming up: ${contender.name}`);
    await (contender.warmUp ?? contender.run)();
  }
  for (let round = 1; round <= rounds; round += 1) {
    for (const contender of shuffled(contenders)) {
      note(`round ${round}: ${contender.name}`);
      contender.rounds.push(await contender.run());
    }
  }
  return tableOf(contenders);
}

interface Rates {
  readonly perSecond: number;
  readonly perCpuSecond: number;
}

interface Contender {
  readonly name: string;
  /** Default: one run. */
  readonly warmUp?: () => Promise<void>;
  readonly run: () => Promise<Rates>;
  readonly rounds: Rates[];
}

async function pgbench(accounts: Accounts, { seconds, connections, postgres }: WriteOptions): Promise<Rates> {
  const before = serverCpuSeconds(postgres) + endedChildrenCpuSeconds(process.pid);
  const perSecond = await runPgbench(accounts, { seconds, connections });
  const spent = serverCpuSeconds(postgres) + endedChildrenCpuSeconds(process.pid) - before;
  return { perSecond, perCpuSecond: (perSecond * seconds) / spent };
}

function putting(
  server: Server,
  accounts: Accounts,
  options: WriteOptions,
): Required<Pick<Contender, 'warmUp' | 'run'>> {
  const { seconds, connections, postgres, token } = options;
  const requestOf = putsTo(server, accounts, token);
  return {
    async warmUp() {
      const clients = openClients(connections);
      await warmUp(server.pid, (ofSeconds) => clients.load({ requestOf, seconds: ofSeconds }));
      await clients.close();
    },
    async run() {
      const clients = openClients(connections);
      const before = serverCpuSeconds(postgres) + cpuSeconds(server.pid);
      const load = await clients.load({ requestOf, seconds });
      const spent = serverCpuSeconds(postgres) + cpuSeconds(server.pid) - before;
      await clients.close();
      return { perSecond: load.requests / load.seconds, perCpuSecond: load.requests / spent };
    },
  };
}

/**
 * Each request writes the next account of the lower half, so that its revision is known; pgbench has the upper half.
 */
function putsTo({ url }: Server, accounts: Accounts, token: string): () => Request {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const half = Math.floor(accounts.count / 2);
  let sent = 0;
  return () => {
    const identifier = `account-${sent % half}`;
    const revision = BigInt(1 + Math.floor(sent / half));
    sent += 1;
    return {
      method: 'PUT',
      url: `${url}/accounts/${identifier}`,
      headers: { ...headers, 'if-match': etagOf(accounts, identifier, revision) },
      body: `{"balance_minor_units":${sent}}`,
    };
  };
}

function tableOf(contenders: readonly Contender[]): string {
  const medians = contenders.map(({ name, rounds }) => ({
    name,
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    perCpuSecond: median(rounds.map(({ perCpuSecond }) => perCpuSecond)),
  }));
  const [pgbenchRates] = medians;
  if (pgbenchRates === undefined) {
    throw new Error('There is nothing to compare with');
  }
  const rows = medians.map(({ name, perSecond, perCpuSecond }) => [
    name,
    perSecond.toFixed(0),
    (perSecond / pgbenchRates.perSecond).toFixed(2),
    perCpuSecond.toFixed(0),
    (perCpuSecond / pgbenchRates.perCpuSecond).toFixed(2),
  ]);
  const head = ['who', 'writes / s', '× pgbench', 'writes / CPU s', '× pgbench'];
  return markdownTable(head, rows);
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
