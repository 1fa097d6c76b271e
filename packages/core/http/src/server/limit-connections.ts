import type { Server } from 'node:http';
import type { Socket } from 'node:net';

import type { Logger, Metrics } from '@meridian/telemetry';

import type { Connections } from './connections.ts';
import { memoryShare } from './memory-share.ts';

export interface ConnectionLimits {
  readonly connections: Connections;
  /** The most connections at a time. Default: one for each 256 KiB of the heap's limit. */
  readonly maxConnections?: number | undefined;
  /** The idle time of connections that are ended to make room. Default: 5000, clients that are active use theirs. */
  readonly endedIdleMs?: number | undefined;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Several times what a connection can hold: 64 KiB of header fields that are not complete. See docs/attacks.md. */
const bytesForConnection = 262_144;
/** The part of the connections that is ended at once to make room: a search for idle ones goes through all. */
const endedPart = 1 / 8;
/** The time until the next search after one that found no idle connection. */
const searchAgainMs = 500;
/** The interval between two lines in the log. */
const logEveryMs = 10_000;

/**
 * Limits the number of connections of a server. When all are in use, those that have been idle for longest are ended to
 * make room; without any, a new connection is closed at once. Call it last: it is in front of all that handles
 * connections.
 */
export function limitConnections(
  server: Server,
  { connections, maxConnections, endedIdleMs = 5000, logger, metrics }: ConnectionLimits,
): void {
  const max = maxConnections ?? Math.max(1, memoryShare(1 / bytesForConnection));
  const handle = server.listeners('connection');
  const open = new Set<Socket>();
  let searchedMs = Number.NEGATIVE_INFINITY;
  let loggedMs = Number.NEGATIVE_INFINITY;

  const makeRoom = (): boolean => {
    const nowMs = performance.now();
    if (nowMs - searchedMs < searchAgainMs) {
      return false;
    }
    if (connections.closeIdle({ idleMs: endedIdleMs, maxCount: Math.ceil(max * endedPart) }) === 0) {
      searchedMs = nowMs;
      return false;
    }
    // Their events come later.
    for (const socket of open) {
      if (socket.destroyed) {
        open.delete(socket);
      }
    }
    return open.size < max;
  };
  const refuse = (socket: Socket): void => {
    metrics.connectionsRefusedTotal.inc();
    socket.on('error', () => {}).destroy();
    const nowMs = performance.now();
    if (nowMs - loggedMs >= logEveryMs) {
      loggedMs = nowMs;
      logger.warn(
        { maxConnections: max },
        'connection refused: all are in use and none is idle; MAX_CONNECTIONS sets their number',
      );
    }
  };
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    if (open.size >= max && !makeRoom()) {
      refuse(socket);
      return;
    }
    open.add(socket);
    metrics.openConnections.inc();
    socket.once('close', () => {
      open.delete(socket);
      metrics.openConnections.dec();
    });
    for (const listener of handle) {
      listener.call(server, socket);
    }
  });
}
