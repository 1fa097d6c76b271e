import { startPostgres } from '@meridian/postgres';
import type { RunningPostgres } from '@meridian/postgres';

import { sendSignal } from './process-record.ts';
import type { ProcessRecord } from './process-record.ts';
import type { Running } from './supervise.ts';

/** The name of the stack's own PostgreSQL, in messages and on the screen. */
export const serverName = 'postgresql';

export interface OwnServerOptions {
  readonly dataDirectory: string;
  readonly record: ProcessRecord;
  readonly onStep: (step: string) => void;
}

/** A PostgreSQL of the stack's own, which keeps its port from one start to the next. */
export class OwnServer {
  readonly #options: OwnServerOptions;
  #last: RunningPostgres | undefined;

  constructor(options: OwnServerOptions) {
    this.#options = options;
  }

  async start(): Promise<Running> {
    const { dataDirectory, record, onStep } = this.#options;
    const server = await startPostgres({ dataDirectory, port: this.#last?.port ?? 0, onProgress: onStep });
    this.#last = server;
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
  }

  /** The superuser's URL, once the server has started. */
  url(): string {
    if (this.#last === undefined) {
      throw new Error('A server has a URL once it has started');
    }
    return this.#last.url;
  }
}
