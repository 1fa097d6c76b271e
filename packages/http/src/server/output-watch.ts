import type { Socket } from 'node:net';

/**
 * Tells a client that has stopped reading from one that reads slowly.
 *
 * The timeout of a socket cannot: it starts again with every byte that the client sends.
 */
export class OutputWatch {
  readonly #socket: Socket;
  #takenBytes = 0;
  /** The time since when the system has taken nothing, by `performance.now`; undefined while no output waits. */
  #sinceMs: number | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /**
   * Called now and then. True when output waits, and the system has taken no byte of it for this long, measured from
   * call to call. The system takes more when the client has read a part of what it holds already, about a third.
   */
  isStalled(longestMs: number): boolean {
    if (this.#socket.writableLength === 0) {
      this.#sinceMs = undefined;
      return false;
    }
    const takenBytes = takenBytesOf(this.#socket);
    const nowMs = performance.now();
    if (this.#sinceMs === undefined || takenBytes !== this.#takenBytes) {
      this.#takenBytes = takenBytes;
      this.#sinceMs = nowMs;
      return false;
    }
    return nowMs - this.#sinceMs >= longestMs;
  }
}

/**
 * The bytes that the system has taken from a socket so far. The public properties count a write once it is complete,
 * and a response can be one write of megabytes. So this reads the two counters by which Node's own `net.Socket` tells
 * that a write makes progress.
 */
function takenBytesOf(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle');
  return isHandle(handle)
    ? handle.bytesWritten - handle.writeQueueSize
    : socket.bytesWritten - socket.writableLength;
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
