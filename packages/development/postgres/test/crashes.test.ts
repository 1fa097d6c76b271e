import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { childrenOf, findProcess } from '@meridian/processes';

import { startPostgres } from '../src/index.ts';
import { kill, startInAnotherProcess } from './another-process.ts';
import type { ServerOfAnotherProcess } from './another-process.ts';
import { firstRow } from './connections.ts';
import { eventually } from './eventually.ts';
import { createReadyCluster } from './ready-cluster.ts';
import type { ReadyCluster } from './ready-cluster.ts';

describe('A process that started a server', () => {
  let ready: ReadyCluster;
  let dataDirectory: string;
  let postmasterPids: number[];

  beforeAll(async () => {
    ready = await createReadyCluster();
  });
  afterAll(() => ready.remove());

  beforeEach(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'meridian-crash-'));
    postmasterPids = [];
  });

  /** A server that shuts down still writes into its directory. */
  afterEach(async () => {
    await eventually(() => postmasterPids.every((pid) => findProcess(pid) === undefined));
    await rm(dataDirectory, { recursive: true, force: true });
  });

  async function start(kind?: 'throwaway'): Promise<ServerOfAnotherProcess> {
    await ready.copyTo(dataDirectory);
    const started = await startInAnotherProcess(dataDirectory, kind);
    postmasterPids.push(started.postmasterPid);
    return started;
  }

  /** Starts on the directory, takes a value out of the database, and stops. */
  async function startAgain(sql: string): Promise<{ row: unknown; texts: string[] }> {
    const texts: string[] = [];
    const server = await startPostgres({
      dataDirectory,
      port: 0,
      settings: { fsync: 'off' },
      onProgress: (text) => texts.push(text),
    });
    const row = await firstRow(server.url, sql);
    await server.stop();
    return { row, texts };
  }

  it('ends the server when it is killed', async () => {
    const { process: starter, postmasterPid } = await start();
    await kill(starter);
    await expect(eventually(() => findProcess(postmasterPid) === undefined)).resolves.toBeUndefined();
  });

  it('ends a throwaway server and removes its directory', async () => {
    const { process: starter } = await start('throwaway');
    await kill(starter);
    await expect(
      eventually(async () => (await stat(dataDirectory).catch(() => undefined)) === undefined),
    ).resolves.toBeUndefined();
  });

  it('leaves the server to the next start when the watchdog was killed too', async () => {
    const { process: starter, url, postmasterPid } = await start();
    await firstRow(url, 'create table kept as select 42 as answer');
    const watchdog = childrenOf(Number(starter.pid)).find((pid) =>
      findProcess(pid)?.commandLine.includes('postgres-watchdog'),
    );
    process.kill(Number(watchdog), 'SIGKILL');
    await kill(starter);
    expect(findProcess(postmasterPid)).toBeDefined();

    const { row, texts } = await startAgain('select answer from kept');
    expect(row).toEqual({ answer: 42 });
    expect(texts).toEqual(['Stopping a PostgreSQL that an earlier run left behind', 'Starting PostgreSQL']);
    expect(findProcess(postmasterPid)).toBeUndefined();
  });

  it('keeps the server through a Ctrl-C at the terminal, so that it can stop it last', async () => {
    const { process: starter, url } = await start();
    process.kill(-Number(starter.pid), 'SIGINT');
    await expect(firstRow(url, 'select pg_sleep(0.2), 1 as one')).resolves.toMatchObject({ one: 1 });
    await kill(starter);
  });

  it('loses nothing that was committed when the server itself is killed', async () => {
    const { process: starter, url, postmasterPid } = await start();
    await firstRow(url, 'create table kept as select 42 as answer');
    process.kill(postmasterPid, 'SIGKILL');
    await kill(starter);
    await expect(startAgain('select answer from kept')).resolves.toMatchObject({ row: { answer: 42 } });
  });

  it('loses its claim on the directory when it is killed, even when its pid is another process’s', async () => {
    const { process: starter, postmasterPid } = await start();
    const claim = JSON.parse(await readFile(join(dataDirectory, 'claim.json'), 'utf8'));
    expect(claim).toEqual({ pid: starter.pid, startedAt: findProcess(Number(starter.pid))?.startedAt });
    await kill(starter);
    await eventually(() => findProcess(postmasterPid) === undefined);
    await expect(startAgain('select 1 as one')).resolves.toMatchObject({ row: { one: 1 } });
  });
});
