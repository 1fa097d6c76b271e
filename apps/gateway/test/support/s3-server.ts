import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import process from 'node:process';

import { findFreePort } from '@meridian/processes';
import { eventually } from '@meridian/testing';
import { AwsClient } from 'aws4fetch';

/** Versity S3 Gateway over a folder, on loopback, for tests that need a real S3: it verifies signatures and regions. */
export interface S3Server {
  readonly url: string;
  /** Writes `/bucket/key`, encoded as in a URL. */
  put(path: string, text: string): Promise<void>;
  /** Makes it hang: it accepts connections, and never responds. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

export const s3Keys = { accessKeyId: 'an-id', secretAccessKey: 'a-secret', region: 'eu-central-1' };
const environment = {
  ...process.env,
  PATH: [process.env['PATH'], resolve(import.meta.dirname, '../../../../.data/bin')].join(delimiter),
  ROOT_ACCESS_KEY_ID: s3Keys.accessKeyId,
  ROOT_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
};

/** False where versitygw is not installed. It is a module of Go: github.com/versity/versitygw/cmd/versitygw */
export function hasS3Server(): boolean {
  return spawnSync('versitygw', ['--version'], { env: environment }).status === 0;
}

/** @param bucket the only one, which is empty */
export async function startS3Server(bucket: string): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'meridian-s3-'));
  await Promise.all(
    [`files/${bucket}`, 'metadata', 'accounts'].map((name) =>
      mkdir(join(directory, name), { recursive: true }),
    ),
  );
  const host = `127.0.0.1:${await findFreePort()}`;
  const url = `http://${host}`;
  const flags = [
    '--port',
    host,
    '--region',
    s3Keys.region,
    '--quiet',
    '--iam-dir',
    join(directory, 'accounts'),
  ];
  const args = [...flags, 'posix', '--sidecar', join(directory, 'metadata'), join(directory, 'files')];
  const server = spawn('versitygw', args, {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const log: string[] = [];
  server.stderr.on('data', (chunk: Buffer) => log.push(String(chunk)));
  await eventually(async () => {
    if (server.exitCode !== null) {
      throw new Error(`versitygw ended: ${log.join('')}`);
    }
    await fetch(url);
  });
  const client = new AwsClient({ ...s3Keys, service: 's3' });
  return {
    url,
    async put(path, text) {
      const response = await client.fetch(url + path, { method: 'PUT', body: text });
      if (!response.ok) {
        throw new Error(`PUT ${path}: ${response.status} ${await response.text()}`);
      }
    },
    freeze: () => void server.kill('SIGSTOP'),
    thaw: () => void server.kill('SIGCONT'),
    async close() {
      const exited = once(server, 'exit');
      server.kill('SIGKILL');
      await exited;
      await rm(directory, { recursive: true });
    },
  };
}
