import type { Server } from 'node:http';
import type { Socket } from 'node:net';

import { memoryShare } from './memory-share.ts';
import { OutputWatch } from './output-watch.ts';

export interface OutputLimits {
  /** The longest time for which a client takes nothing of its response, in milliseconds. */
  readonly longestStallMs: number;
  /** The bytes of responses that may wait for all clients together. Above them, a client is waited for less long. */
  readonly mostWaitingBytes?: number | undefined;
}

/** The interval between checks, in milliseconds. */
const checkEveryMs = 1000;
/** The longest time without progress while too many bytes wait: two checks see the same. */
const shortStallMs = checkEveryMs / 2;
/** The share of the heap's limit that responses may have in buffers, which are not on the heap. */
const waitingShare = 1 / 4;

/**
 * Ends the connections whose client takes nothing of its response for `longestStallMs`. Such responses take memory, so
 * that a client has only a second while too many bytes wait.
 */
export function limitOutput(
  server: Server,
  { longestStallMs, mostWaitingBytes = memoryShare(waitingShare) }: OutputLimits,
): void {
  const watches = new Map<Socket, OutputWatch>();
  server.on('connection', (socket: Socket) => {
    watches.set(socket, new OutputWatch(socket));
    socket.once('close', () => watches.delete(socket));
  });
  const timer = setInterval(() => {
    let waitingBytes = 0;
    for (const socket of watches.keys()) {
      waitingBytes += socket.writableLength;
    }
    const allowedMs =
      waitingBytes > mostWaitingBytes ? Math.min(shortStallMs, longestStallMs) : longestStallMs;
    for (const [socket, output] of watches) {
      if (output.isStalled(allowedMs)) {
        socket.destroy();
      }
    }
  }, checkEveryMs).unref();
  server.once('close', () => clearInterval(timer));
}
