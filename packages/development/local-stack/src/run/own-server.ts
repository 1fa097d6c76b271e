import { startPostgres } from '@meridian/postgres';
import type { RunningPostgres } from '@meridian/postgres';

import { sendSignal } from './process-record.ts';
import type { ProcessRecord } from './process-record.ts';
import type { Running } from './supervise.ts';

/** The name of the stack's own PostgreSQL, in messages and on the screen. */
export const serverName = 'postgresql';

/** A PostgreSQL of the stack's own, which keeps its port from one start to the next. */
export interface OwnServer {
  start(): Promise<Running>;
  /** The superuser's URL, once the server has started. */
  url(): string;
}

export interface OwnServerOptions {
  readonly dataDirectory: string;
  readonly record: ProcessRecord;
  readonly onStep: (step: string) => void;
}

/** Declares the server; `start` starts it. */
export function createOwnServer({ dataDirectory, record, onStep }: OwnServerOptions): OwnServer {
  let last: RunningPostgres | undefined;
  return {
    async start() {
      const server = await startPostgres({ dataDirectory, port: last?.port ?? 0, onProgress: onStep });
      last = server;
      const [pid = 0] = server.processIds();
      record.add(serverName, pid);
      return {
        ready: Promise.resolve(),
        ended: server.ended.then(() => {
          record.remove(pid);
          return 'ended';
        }),
        stop: () => server.stop(),
        kill: () => server.processIds().forEach((id) => sendSignal(id, 'SIGKILL')),
      };
    },
    url() {
      if (last === undefined) {
        throw new Error('A server has a URL once it has started');
      }
      return last.url;
    },
  };
}
