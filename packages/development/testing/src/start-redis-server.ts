import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

import { findFreePort } from '@meridian/processes';

import type { Certificate } from './self-signed-certificate.ts';

/** Debian's redis-server on loopback, for tests that need the real one. */
export type RedisServer = Awaited<ReturnType<typeof startRedisServer>>;

/** The certificate of a server over TLS, and the one that its clients must show. */
export interface MutualTls {
  readonly server: Certificate;
  readonly client: Certificate;
}

/** @param tls for a server that is reached over TLS alone */
export async function startRedisServer(tls?: MutualTls) {
  const directory = await mkdtemp(join(tmpdir(), 'meridian-redis-'));
  const port = await findFreePort();
  const listening = tls === undefined ? ['--port', String(port)] : await overTls(tls, port, directory);
  let server: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    const started = spawn(
      'redis-server',
      [...listening, '--bind', '127.0.0.1', '--save', '', '--dir', directory],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    server = started;
    await Promise.race([isReady(started.stdout), failure(started)]);
    started.stdout.resume();
  };
  const stop = async (): Promise<void> => {
    const running = server;
    server = undefined;
    if (running !== undefined && running.exitCode === null && running.signalCode === null) {
      const exited = once(running, 'exit');
      running.kill('SIGKILL');
      await exited;
    }
  };
  await start();
  return {
    url: `${tls === undefined ? 'redis' : 'rediss'}://127.0.0.1:${port}`,
    /** Starts it again, empty, on the same port. */
    start,
    /** Ends it, with all its data. */
    stop,
    /** Makes it hang: connections stay open, without responses. */
    freeze: (): void => void server?.kill('SIGSTOP'),
    thaw: (): void => void server?.kill('SIGCONT'),
    async close(): Promise<void> {
      await stop();
      await rm(directory, { recursive: true });
    },
  };
}

async function overTls({ server, client }: MutualTls, port: number, directory: string): Promise<string[]> {
  const files = { cert: server.cert, key: server.key, 'ca-cert': client.cert };
  const keys = Object.entries(files).map(async ([name, text]) => {
    const path = join(directory, `${name}.pem`);
    await writeFile(path, text);
    return [`--tls-${name}-file`, path];
  });
  return ['--port', '0', '--tls-port', String(port), ...(await Promise.all(keys)).flat()];
}

async function isReady(stdout: Readable): Promise<void> {
  for await (const line of createInterface({ input: stdout })) {
    if (line.includes('Ready to accept connections')) {
      return;
    }
  }
  throw new Error('redis-server ended before it accepted connections');
}

async function failure(server: ChildProcess): Promise<never> {
  const [error]: unknown[] = await once(server, 'error');
  throw new Error('redis-server could not be started: is the package redis-server installed?', {
    cause: error,
  });
}
