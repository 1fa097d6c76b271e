import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import process from 'node:process';

import { findFreePort } from '@meridian/processes';
import { AwsClient } from 'aws4fetch';

import type { ForeignServer } from './foreign-server.ts';
import { startForeignServer } from './foreign-server.ts';

/** Versity S3 Gateway over a folder, on loopback, for tests that need a real S3: it verifies signatures and regions. */
export interface S3Server extends ForeignServer {
  readonly url: string;
  /** Writes `/bucket/key`, encoded as in a URL. */
  put(path: string, text: string): Promise<void>;
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
  const server = await startForeignServer({ command: 'versitygw', args, env: environment, url, directory });
  const client = new AwsClient({ ...s3Keys, service: 's3' });
  return {
    ...server,
    url,
    async put(path, text) {
      const signal = AbortSignal.timeout(30_000);
      const response = await client.fetch(url + path, { method: 'PUT', body: text, signal });
      if (!response.ok) {
        throw new Error(`PUT ${path}: ${response.status} ${await response.text()}`);
      }
    },
  };
}
