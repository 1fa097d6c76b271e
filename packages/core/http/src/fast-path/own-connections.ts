import type { Server } from 'node:http';

import type { IdleConnections, MaybeIdle } from '../server/connections.ts';
import { checkRegularly } from '../server/check-regularly.ts';
import { endIdle } from '../server/connections.ts';
import { keepAliveSeconds } from './response-text.ts';

/** A second longer than the client reads, as in Node. */
export const maxIdleMs = (keepAliveSeconds + 1) * 1000;

/** The connections of a server that this package serves by itself. */
export class OwnConnections<Held extends MaybeIdle> {
  readonly all = new Set<Held>();

  /** @param check called for each of them, again and again: it ends those that take too long */
  constructor(server: Server, check: (connection: Held) => void) {
    checkRegularly(server, () => this.all.forEach(check));
  }

  /** Ends connections without a request under way; returns how many. */
  closeIdle(which?: IdleConnections): number {
    return endIdle(this.all, which);
  }

  closeAll(): void {
    this.all.forEach((connection) => connection.destroy());
  }
}
