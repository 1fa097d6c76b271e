import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { startPostgres } from '../src/index.ts';

/** A data directory that a server has used, to copy: making one takes most of the time of a start. */
export interface ReadyCluster {
  copyTo(dataDirectory: string): Promise<void>;
  remove(): Promise<void>;
}

export async function createReadyCluster(): Promise<ReadyCluster> {
  const made = await mkdtemp(join(tmpdir(), 'meridian-cluster-'));
  const server = await startPostgres({ dataDirectory: made, port: 0, settings: { fsync: 'off' } });
  await server.stop();
  return {
    async copyTo(dataDirectory) {
      // With its owner, who may be another one than this process.
      await promisify(execFile)('cp', ['-a', `${made}/.`, dataDirectory]);
    },
    remove: () => rm(made, { recursive: true }),
  };
}
