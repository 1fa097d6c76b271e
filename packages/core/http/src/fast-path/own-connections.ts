import type { Server } from 'node:http';

import { keepAliveSeconds } from './response-text.ts';
import type { IdleConnections } from '../server/connections.ts';

/** A connection that this package serves, and Node does not. */
interface OwnConnection {
  isIdle(idleMs: number): boolean;
  destroy(): void;
}

/** The interval between checks of connections, in milliseconds. */
const checkEveryMs = 1000;

/** A second longer than the client reads, as in Node. */
export const maxIdleMs = (keepAliveSeconds + 1) * 1000;

/** The connections of a server that this package serves by itself. */
export class OwnConnections<Held extends OwnConnection> {
  readonly all = new Set<Held>();

  /** @param check called for each of them, again and again: it ends those that take too long */
  constructor(server: Server, check: (connection: Held) => void) {
    const timer = setInterval(() => this.all.forEach(check), checkEveryMs).unref();
    server.once('close', () => clearInterval(timer));
  }

  /** Ends connections without a request under way; returns how many. */
  closeIdle({ idleMs = 0, maxCount = Number.POSITIVE_INFINITY }: IdleConnections = {}): number {
    let closed = 0;
    for (const connection of this.all) {
      if (closed >= maxCount) {
        break;
      }
      if (connection.isIdle(idleMs)) {
        connection.destroy();
        closed += 1;
      }
    }
    return closed;
  }

  closeAll(): void {
    this.all.forEach((connection) => connection.destroy());
  }
}
