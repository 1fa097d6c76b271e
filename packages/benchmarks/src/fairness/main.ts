// `pnpm bench fairness`: see the README.
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { createDevelopmentIdentity } from '@meridian/auth/development';
import { flagValue, positiveInteger, positiveNumber, readArgs, runCommand } from '@meridian/command-line';
import { startPostgres } from '@meridian/postgres';

import { createAccounts } from '../accounts/create-accounts.ts';
import type { Clients, Request } from '../harness/clients.ts';
import { openClients } from '../harness/clients.ts';
import { lineWith, startProgram } from '../harness/started-program.ts';
import type { Waits } from './waits.ts';
import { printWaits, waitsOf } from './waits.ts';

const help = `Usage: pnpm bench fairness [flags]

Measures how long a tenant waits for an account while another tenant sends far more
than its share to the same process, next to how long it waits alone.

  --rounds <n>       alone and beside the noise, so often (5)
  --seconds <n>      of each (4)
  --connections <n>  of the noisy tenant (40)
  --pipelined <n>    requests that it sends at once on each (60)
  --help             print this`;

/** Clients of the quiet tenant; each sends one request after another. */
const quietClients = 2;

await runCommand({ name: 'pnpm bench fairness', help, read: readFlags, run: benchmark });

function readFlags(args: readonly string[]) {
  const { flags } = readArgs(args, {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '40' },
    pipelined: { type: 'string', default: '60' },
  });
  return {
    rounds: flagValue('--rounds', flags.rounds, positiveInteger),
    seconds: flagValue('--seconds', flags.seconds, positiveNumber),
    connections: flagValue('--connections', flags.connections, positiveInteger),
    pipelined: flagValue('--pipelined', flags.pipelined, positiveInteger),
  };
}

async function benchmark(flags: ReturnType<typeof readFlags>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'meridian-fairness-bench-'));
  const postgres = await startPostgres({
    dataDirectory: join(directory, 'postgres'),
    port: 0,
    isThrowaway: true,
    settings: { fsync: 'off' },
  });
  const stops: (() => Promise<unknown>)[] = [];
  try {
    const accounts = await createAccounts(postgres.url, { database: 'accounts', count: 10_000 });
    const identity = await createDevelopmentIdentity(join(directory, 'identity'));
    const service = startProgram({
      script: join(import.meta.dirname, '../../../../apps/accounts/src/main.ts'),
      env: {
        // Keys of this machine's own are for development; nothing else of the service depends on it.
        NODE_ENV: 'development',
        PORT: '0',
        ADMIN_PORT: '0',
        DATABASE_URL: accounts.url,
        JWKS_URL: identity.jwksUrl.href,
        JWT_ISSUER: identity.issuer,
        JWT_AUDIENCE: identity.audience,
      },
    });
    stops.push(() => service.stop());
    const { address }: { address: { port: number } } = JSON.parse(await lineWith('"address"', service));
    const url = `http://127.0.0.1:${address.port}`;
    const clients = openClients(quietClients);
    stops.push(() => clients.close());

    const read = await createQuietAccount(url, await identity.signToken({ tenant: 'quiet' }));
    const noise = { SERVICE_URL: url, TOKEN: await identity.signToken({ tenant: accounts.tenantId }) };
    const rounds = await measureRounds(clients, read, noise, flags);
    process.stdout.write(
      `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, ${flags.connections} connections × ${flags.pipelined} pipelined\n\n${printWaits(rounds)}`,
    );
  } finally {
    for (const stop of stops) {
      await stop();
    }
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

async function measureRounds(
  clients: Clients,
  read: Request,
  noise: Readonly<Record<string, string>>,
  { rounds, seconds, connections, pipelined }: ReturnType<typeof readFlags>,
): Promise<{ alone: Waits; beside: Waits }[]> {
  const measure = async (): Promise<Waits> =>
    waitsOf((await clients.load({ requestOf: () => read, seconds })).latenciesMs);
  // The first requests are slow for reasons of their own.
  await measure();
  const measured: { alone: Waits; beside: Waits }[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    process.stderr.write(`round ${round} of ${rounds}\n`);
    const alone = await measure();
    const noisy = startProgram({
      script: join(import.meta.dirname, 'noisy-tenant.ts'),
      env: { ...noise, CONNECTIONS: `${connections}`, PIPELINED: `${pipelined}` },
    });
    try {
      await lineWith('sending', noisy);
      measured.push({ alone, beside: await measure() });
    } finally {
      await noisy.stop();
    }
  }
  return measured;
}

/** The request that reads an account of the quiet tenant. */
async function createQuietAccount(url: string, token: string): Promise<Request> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/accounts`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{"id":"quiet","balance_minor_units":1}',
  });
  if (response.status !== 201) {
    throw new Error(`POST /accounts answered ${response.status}`);
  }
  return { method: 'GET', url: `${url}/accounts/quiet`, headers };
}
