import type { Server } from 'node:http';
import type { Socket } from 'node:net';

import { checkEveryMs, checkRegularly } from './check-regularly.ts';
import { memoryShare } from './memory-share.ts';
import type { ConnectionEvent } from './secure-server.ts';

export interface OutputLimits {
  /** The longest time for which a client takes nothing of its response, in milliseconds. */
  readonly maxStallMs: number;
  /** The bytes of responses that may wait for all clients together. Above them, a client is waited for less long. */
  readonly maxWaitingBytes?: number | undefined;
  readonly connectionEvent: ConnectionEvent;
}

/** The longest time without progress while too many bytes wait: two checks see the same. */
const shortStallMs = checkEveryMs / 2;
/** The share of the heap's limit that responses may have in buffers, which are not on the heap. */
const waitingShare = 1 / 4;

/** Bytes on their way to a client: of a connection, or of a stream of HTTP/2. */
export interface Output {
  waitingBytes(): number;
  /** Those that the system has taken so far. */
  acceptedBytes(): number;
  /** Breaks it off. */
  end(): void;
}

/**
 * Ends the connections whose client takes nothing of its response for `maxStallMs`. Such responses take memory, so
 * that a client has only a second while too many bytes wait.
 *
 * @returns a function that watches another output, until the function that it returns is called
 */
export function limitOutput(
  server: Server,
  { maxStallMs, maxWaitingBytes = memoryShare(waitingShare), connectionEvent }: OutputLimits,
): (output: Output) => () => void {
  const watches = new Map<Output, OutputWatch>();
  const watch = (output: Output): (() => void) => {
    watches.set(output, new OutputWatch(output));
    return () => void watches.delete(output);
  };
  server.on(connectionEvent, (socket: Socket) => socket.once('close', watch(outputOf(socket))));
  checkRegularly(server, () => {
    let waitingBytes = 0;
    for (const output of watches.keys()) {
      waitingBytes += output.waitingBytes();
    }
    const allowedMs = waitingBytes > maxWaitingBytes ? Math.min(shortStallMs, maxStallMs) : maxStallMs;
    for (const [output, watched] of watches) {
      if (watched.isStalled(allowedMs)) {
        output.end();
      }
    }
  });
  return watch;
}

function outputOf(socket: Socket): Output {
  return {
    waitingBytes: () => socket.writableLength,
    acceptedBytes: () => acceptedBytesOf(socket),
    end: () => void socket.destroy(),
  };
}

/**
 * Tells a client that has stopped reading from one that reads slowly.
 *
 * The timeout of a socket cannot: it starts again with every byte that the client sends.
 */
class OutputWatch {
  readonly #output: Output;
  #acceptedBytes = 0;
  /** The time since when the system has taken nothing, by `performance.now`; undefined while no output waits. */
  #sinceMs: number | undefined;

  constructor(output: Output) {
    this.#output = output;
  }

  /**
   * Called now and then. True when output waits, and the system has taken no byte of it for this long, measured from
   * call to call. The system takes more when the client has read a part of what it holds already, about a third.
   */
  isStalled(maxMs: number): boolean {
    if (this.#output.waitingBytes() === 0) {
      this.#sinceMs = undefined;
      return false;
    }
    const acceptedBytes = this.#output.acceptedBytes();
    const nowMs = performance.now();
    if (this.#sinceMs === undefined || acceptedBytes !== this.#acceptedBytes) {
      this.#acceptedBytes = acceptedBytes;
      this.#sinceMs = nowMs;
      return false;
    }
    return nowMs - this.#sinceMs >= maxMs;
  }
}

/**
 * The bytes that the system has taken from a socket so far. The public properties count a write once it is complete,
 * and a response can be one write of megabytes. So this reads the two counters by which Node's own `net.Socket` tells
 * that a write makes progress.
 */
export function acceptedBytesOf(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle');
  return isHandle(handle)
    ? handle.bytesWritten - handle.writeQueueSize
    : socket.bytesWritten - socket.writableLength;
}

/** The bytes that the system has not taken yet. */
export function queuedBytesOf(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle');
  return socket.writableLength + (isHandle(handle) ? handle.writeQueueSize : 0);
}

interface Handle {
  /** With those that are still in the queue. */
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}

function isHandle(value: unknown): value is Handle {
  return (
    typeof value === 'object' &&
    value !== null &&
    'bytesWritten' in value &&
    typeof value.bytesWritten === 'number' &&
    'writeQueueSize' in value &&
    typeof value.writeQueueSize === 'number'
  );
}
