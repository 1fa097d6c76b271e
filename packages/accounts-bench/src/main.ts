// `pnpm bench accounts`: see the README.
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

import { createDevelopmentIdentity } from '@meridian/auth/development';
import { measureInTurn, printTable } from '@meridian/bench-kit';
import { startPostgres } from '@meridian/postgres';

import { createAccounts } from './create-accounts.ts';
import { measureWrites } from './measure-writes.ts';
import { readContenders } from './read-contenders.ts';
import { startServers } from './start-servers.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '8' },
    few: { type: 'string', default: '10000' },
    many: { type: 'string', default: '1000000' },
    profile: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const note = (line: string): void => void process.stderr.write(`${line}\n`);

if (values.help) {
  process.stdout.write(
    'pnpm bench accounts [--rounds 5] [--seconds 3] [--connections 8] [--few 10000] [--many 1000000] [--profile]\n',
  );
} else {
  await benchmark();
}

async function benchmark(): Promise<void> {
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
    note(`creating ${values.few} and ${values.many} accounts`);
    const few = await createAccounts(postgres.url, { database: 'few', count: Number(values.few) });
    const many = await createAccounts(postgres.url, { database: 'many', count: Number(values.many) });
    const identity = await createDevelopmentIdentity(join(directory, 'identity'));
    const servers = await startServers({ few, many, identity, isProfiled: values.profile });
    stops.push(() => servers.stop());

    const load = {
      rounds: Number(values.rounds),
      seconds: Number(values.seconds),
      connections: Number(values.connections),
    };
    const token = await identity.signToken({ tenant: few.tenantId });
    const reads = await measureInTurn(await readContenders({ few, many, servers, token }), { ...load, note });
    process.stdout.write(
      `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, ${load.connections} connections\n\n`,
    );
    process.stdout.write(`${printTable(reads, { comparedWith: ['GET bare', 'GET 200'] })}\n`);
    process.stdout.write(await measureWrites({ few, many, servers, postgres, token, ...load, note }));
  } finally {
    for (const stop of stops) await stop();
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  }
}
