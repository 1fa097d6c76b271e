import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { callCommand } from '@meridian/testing';

import { dataDirectoryAt } from '../../src/data-directory.ts';
import { findStack } from '../../src/record/explained-gateway.ts';
import { readStackRecord, removeStackRecord, writeStackRecord } from '../../src/record/stack-record.ts';

const nowhere = 'postgresql://meridian_gateway@127.0.0.1:1/meridian_gateway';
const serverOfStack = 'postgresql://owner@127.0.0.1:2/postgres';
const record = {
  graphUrl: 'http://127.0.0.1:1/graphql',
  accountsUrl: 'http://127.0.0.1:1',
  gatewayAdminUrl: 'http://127.0.0.1:8088',
  gatewayDatabaseUrl: nowhere,
  serverUrl: serverOfStack,
};

let directory: string;
let running: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'meridian-usage-'));
  running = dataDirectoryAt(directory).running;
});
afterEach(async () => {
  await rm(directory, { recursive: true });
});

function usage(env: Readonly<Record<string, string>> = {}) {
  const program = new URL('../../../../../tools/commands/graph.ts', import.meta.url);
  return callCommand(program, ['usage', '--data', directory], { env });
}

describe('pnpm graph usage', () => {
  it('says in one line that there is neither a stack nor DATABASE_URL', async () => {
    expect(await usage()).toEqual({
      code: 1,
      stdout: '',
      stderr:
        "There is no database: no stack runs (pnpm start), and DATABASE_URL, the gateway's database, is not set\n",
    });
  });

  it.each([
    ['of the stack that runs', undefined, 1],
    ['of the stack that runs, where DATABASE_URL is empty', '', 1],
    [
      'of the stack that runs, where DATABASE_URL names the server it was started with',
      'postgresql://owner:hunter2@127.0.0.1:2/postgres',
      1,
    ],
    ['that DATABASE_URL names, where that is another', 'postgresql://me@127.0.0.1:2/gateway', 0],
  ])('queries the database %s', async (_which, named, connections) => {
    await using database = await listenForConnections();
    const gatewayDatabaseUrl = `postgresql://meridian_gateway@127.0.0.1:${database.port}/meridian_gateway`;
    writeStackRecord(running, { ...record, gatewayDatabaseUrl });
    const { code, stderr } = await usage(named === undefined ? {} : { DATABASE_URL: named });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/ECONNREFUSED|cannot be reached/u)]);
    expect(Math.min(database.connections, 1)).toBe(connections);
  });
});

/** A port that hangs up on every client, and counts them. */
async function listenForConnections() {
  const counted = { port: 0, connections: 0 };
  const server = createServer((socket) => {
    counted.connections += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  counted.port = (server.address() as AddressInfo).port;
  return Object.assign(counted, {
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, 'close');
    },
  });
}

describe('The record of a stack', () => {
  it('exists while the stack runs, readable by its owner only', async () => {
    expect(readStackRecord(running)).toBeUndefined();
    writeStackRecord(running, record);
    expect(readStackRecord(running)).toMatchObject(record);
    expect(findStack(directory)?.graphUrl).toBe('http://127.0.0.1:1/graphql');
    removeStackRecord(running);
    expect(readStackRecord(running)).toBeUndefined();
  });

  it('does not count when its stack was killed', async () => {
    await writeFile(running, JSON.stringify({ ...record, pid: 1, startedAt: 'long ago' }));
    expect(readStackRecord(running)).toBeUndefined();
  });
});
