import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { findFreePort } from '@meridian/processes';
import { Client } from 'pg';

import { PostgresError, startPostgres } from '../src/index.ts';
import type { RunningPostgres, StartPostgresOptions } from '../src/index.ts';
import { firstRow } from './connections.ts';

// One data directory for all tests that do not care, since making one takes most of the time.
let parent: string;
let dataDirectory: string;
const started: RunningPostgres[] = [];

beforeAll(async () => {
  // Closed to all but its owner, as the checkout of root often is.
  parent = await mkdtemp(join(tmpdir(), 'meridian-postgres-'));
  dataDirectory = join(parent, '.data', 'postgres');
});

afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.stop()));
});

afterAll(() => rm(parent, { recursive: true }));

async function start(options: Partial<StartPostgresOptions> = {}): Promise<RunningPostgres> {
  const server = await startPostgres({ dataDirectory, port: 0, settings: { fsync: 'off' }, ...options });
  started.push(server);
  return server;
}

describe('startPostgres', () => {
  it('starts a PostgreSQL with a superuser', async () => {
    const { url } = await start();
    await expect(
      firstRow(
        url,
        "select current_setting('server_version_num')::int >= 180000 as is18, usesuper from pg_user",
      ),
    ).resolves.toEqual({ is18: true, usesuper: true });
  });

  it('requires the password, which only the owner can read', async () => {
    const { url } = await start();
    const wrong = new URL(url);
    wrong.password = 'guess';
    await expect(firstRow(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
    expect((await stat(join(dataDirectory, 'password'))).mode & 0o777).toBe(0o600);
    expect((await stat(dataDirectory)).mode & 0o777).toBe(0o700);
  });

  it('listens on 127.0.0.1 and nowhere else', async () => {
    const { url } = await start({ settings: { fsync: 'off', listen_addresses: '*' } });
    await expect(
      firstRow(
        url,
        "select current_setting('listen_addresses') as tcp, current_setting('unix_socket_directories') as unix",
      ),
    ).resolves.toEqual({ tcp: '127.0.0.1', unix: '' });
  });

  it('keeps its data and its password from one start to the next', async () => {
    const first = await start();
    await firstRow(first.url, 'create table kept as select 42 as answer');
    await first.stop();
    const second = await start({ port: first.port });
    expect(second.url).toBe(first.url);
    await expect(firstRow(second.url, 'select answer from kept')).resolves.toEqual({ answer: 42 });
  });

  it('makes the same kind of database on every machine', async () => {
    const { url } = await start({ settings: { fsync: 'off', log_timezone: 'UTC' } });
    await expect(
      firstRow(
        url,
        `select pg_encoding_to_char(encoding) as encoding, datlocale as locale, current_setting('TimeZone') as zone
         from pg_database where datname = current_database()`,
      ),
    ).resolves.toEqual({ encoding: 'UTF8', locale: 'C.UTF-8', zone: 'UTC' });
  });

  it('refuses a port that is in use, and the next start works', async () => {
    const port = await findFreePort();
    const blocker = createServer().listen(port, '127.0.0.1');
    await once(blocker, 'listening');
    await expect(start({ port })).rejects.toThrow(
      `PostgreSQL cannot listen on 127.0.0.1:${port}: the port is in use`,
    );
    blocker.close();
    await once(blocker, 'close');
    await expect(start({ port })).resolves.toMatchObject({ port });
  });

  it('refuses a directory whose server is running, and leaves that server alone', async () => {
    const first = await start();
    await expect(start()).rejects.toThrow(
      new PostgresError(
        `PostgreSQL is running on ${dataDirectory} already, started by process ${process.pid}. Stop that one first, with Ctrl-C where it was started`,
      ),
    );
    await expect(firstRow(first.url, 'select 1 as one')).resolves.toEqual({ one: 1 });
  });

  it('shows why the server did not start', async () => {
    await expect(start({ settings: { max_connections: 'plenty' } })).rejects.toThrow(
      `PostgreSQL did not start: invalid value for parameter "max_connections": "plenty". Its log is ${join(dataDirectory, 'postgres.log')}. To start over with new data: pnpm start --fresh`,
    );
  });

  it('removes the directory of a throwaway server at its end', async () => {
    const throwaway = join(parent, 'throwaway');
    const server = await start({ dataDirectory: throwaway, isThrowaway: true });
    await expect(readdir(parent)).resolves.toContain('throwaway');
    await server.stop();
    await expect(readdir(parent)).resolves.not.toContain('throwaway');
  });
});

describe('A running PostgreSQL', () => {
  it('knows the pids of its server and its backends', async () => {
    const server = await start();
    const client = new Client({ connectionString: server.url });
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    expect(server.processIds()).toContain(rows[0]?.pid);
    await client.end();
    await server.stop();
    expect(server.processIds()).toEqual([]);
  });

  it('stops while connections are open, and once however often it is stopped', async () => {
    const server = await start();
    const client = new Client({ connectionString: server.url });
    client.on('error', () => undefined);
    await client.connect();
    await Promise.all([server.stop(), server.stop()]);
    await expect(server.stop()).resolves.toBeUndefined();
    await expect(firstRow(server.url, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('reports that it has ended by itself', async () => {
    const server = await start();
    process.kill(Number(server.processIds()[0]), 'SIGKILL');
    await expect(server.ended).resolves.toBeUndefined();
  });
});
