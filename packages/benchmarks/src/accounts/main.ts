// `pnpm bench accounts`: see the README.
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { createDevelopmentIdentity } from '@meridian/auth/development';
import { flagValue, positiveInteger, positiveNumber, readArgs, runCommand } from '@meridian/command-line';
import { startPostgres } from '@meridian/postgres';

import { measureInTurn } from '../harness/measure-in-turn.ts';
import { printTable } from '../harness/print-table.ts';
import { createAccounts } from './create-accounts.ts';
import { measureWrites } from './measure-writes.ts';
import { readContenders } from './read-contenders.ts';
import { startServers } from './start-servers.ts';

const help = `Usage: pnpm bench accounts [flags]

Measures what a read and a write of an account cost, next to a bare handler and to
pgbench, over a PostgreSQL of the run's own.

  --rounds <n>       everyone in turn, so often (5)
  --seconds <n>      of load, for each contender and round (3)
  --connections <n>  that send at the same time (8)
  --few <n>          accounts of the small database (10000)
  --many <n>         accounts of the large one (1000000)
  --profile          writes a CPU profile of each server
  --help             print this`;

await runCommand({ name: 'pnpm bench accounts', help, read: readFlags, run: benchmark });

function readFlags(args: readonly string[]) {
  const { flags } = readArgs(args, {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '8' },
    few: { type: 'string', default: '10000' },
    many: { type: 'string', default: '1000000' },
    profile: { type: 'boolean', default: false },
  });
  return {
    rounds: flagValue('--rounds', flags.rounds, positiveInteger),
    seconds: flagValue('--seconds', flags.seconds, positiveNumber),
    connections: flagValue('--connections', flags.connections, positiveInteger),
    few: flagValue('--few', flags.few, positiveInteger),
    many: flagValue('--many', flags.many, positiveInteger),
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
    note(`creating ${flags.few} and ${flags.many} accounts`);
    const few = await createAccounts(postgres.url, { database: 'few', count: flags.few });
    const many = await createAccounts(postgres.url, { database: 'many', count: flags.many });
    const identity = await createDevelopmentIdentity(join(directory, 'identity'));
    const servers = await startServers({ few, many, identity, isProfiled: flags.isProfiled });
    stops.push(() => servers.stop());

    const load = { rounds: flags.rounds, seconds: flags.seconds, connections: flags.connections };
    const token = await identity.signToken({ tenant: few.tenantId });
    const reads = await measureInTurn(await readContenders({ few, many, servers, token }), { ...load, note });
    process.stdout.write(
      `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, ${load.connections} connections\n\n`,
    );
    process.stdout.write(`${printTable(reads, { comparedWith: ['GET bare', 'GET 200'] })}\n`);
    process.stdout.write(await measureWrites({ few, many, servers, postgres, token, ...load, note }));
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
