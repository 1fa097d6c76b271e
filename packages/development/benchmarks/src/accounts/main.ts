// `pnpm bench accounts`: see the README.
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { createDevelopmentIdentity } from '@meridian/auth/development';
import { flagValue, positiveInteger, readArgs, runCommand } from '@meridian/settings/command-line';
import { startPostgres } from '@meridian/postgres';

import { measureInSlices } from '../harness/measure-in-slices.ts';
import { serverCpuSeconds } from '../harness/process-cost.ts';
import { printSlices } from '../harness/print-slices.ts';
import { createAccounts } from './create-accounts.ts';
import { readContenders, writeContenders } from './contenders.ts';
import { startServers } from './start-servers.ts';

const help = `Usage: pnpm bench accounts [flags]

Measures what a read and a write of an account cost, next to a bare handler and to
pgbench, over a PostgreSQL of the run's own.

  --turns <n>        slices of each contender (60)
  --requests <n>     in a slice (300)
  --connections <n>  that send at the same time (8)
  --accounts <n>     in the database (10000)
  --profile          writes a CPU profile of each server
  --help             print this`;

await runCommand({ name: 'pnpm bench accounts', help, read: readFlags, run: benchmark });

function readFlags(args: readonly string[]) {
  const { flags } = readArgs(args, {
    turns: { type: 'string', default: '60' },
    requests: { type: 'string', default: '300' },
    connections: { type: 'string', default: '8' },
    accounts: { type: 'string', default: '10000' },
    profile: { type: 'boolean', default: false },
  });
  return {
    turns: flagValue('--turns', flags.turns, positiveInteger),
    requests: flagValue('--requests', flags.requests, positiveInteger),
    connections: flagValue('--connections', flags.connections, positiveInteger),
    accounts: flagValue('--accounts', flags.accounts, positiveInteger),
    isProfiled: flags.profile,
  };
}

async function benchmark(flags: ReturnType<typeof readFlags>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'meridian-accounts-bench-'));
  const postgres = await startPostgres({
    dataDirectory: join(directory, 'postgres'),
    port: 0,
    isThrowaway: true,
    // The disk is the same for everyone, and not what is measured.
    settings: { fsync: 'off', shared_buffers: '512MB', autovacuum: 'off', max_wal_size: '8GB' },
  });
  const stops: (() => Promise<void>)[] = [];
  try {
    note(`creating ${flags.accounts} accounts`);
    const accounts = await createAccounts(postgres.url, flags.accounts);
    const identity = await createDevelopmentIdentity(join(directory, 'identity'));
    const servers = await startServers({ accounts, identity, isProfiled: flags.isProfiled });
    stops.push(() => servers.stop());

    const { turns, requests, connections } = flags;
    const token = await identity.signToken({ tenant: accounts.tenantId });
    const options = { accounts, servers, token, requests, connections, adminUrl: postgres.url };
    const slices = { turns, sharedCpuSeconds: () => serverCpuSeconds(postgres), note };

    const readers = await readContenders(options);
    const reads = await measureInSlices(readers, slices);
    process.stdout.write(
      `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, ${connections} connections, ${turns} slices of ${requests} requests\n\n`,
    );
    process.stdout.write(`${printSlices(reads, { comparedWith: ['GET bare', 'GET 200'] })}\n`);

    const writes = await measureInSlices(writeContenders(options), slices);
    process.stdout.write(printSlices(writes, { comparedWith: ['pgbench'], shared: 'PostgreSQL' }));
  } finally {
    for (const stop of stops) {
      await stop();
    }
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

function note(line: string): void {
  process.stderr.write(`${line}\n`);
}
