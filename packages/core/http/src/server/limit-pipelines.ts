import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { problem } from '@meridian/problem-details';
import type { Problem } from '@meridian/problem-details';

/**
 * The maximum of requests on one connection that wait for responses. Few clients pipeline, and pipelining must not give
 * one client a larger share of the process.
 */
const maxRequests = 32;
/** The maximum of their bytes: Node reads on while a response is not out. */
const maxBytes = 131_072;
/** A client that goes on to so many bytes is disconnected. */
const endBytes = 2 * maxBytes;
/** About the size of Node's objects for a request. */
const objectBytes = 2000;

/**
 * Limits what waits on a connection. The request that exceeds the limit is rejected, and its response ends the
 * connection; those after it are dropped.
 *
 * @returns a function that takes the unfinished responses of a connection, the latest request's last
 */
export function limitPipelines(): (
  socket: Socket,
  pending: readonly ServerResponse[],
) => Problem | 'dropped' | undefined {
  const rejected = new WeakSet<Socket>();
  return (socket, pending) => {
    let bytes = 0;
    for (const { req } of pending) {
      bytes += bytesOf(req);
    }
    if (pending.length <= maxRequests && bytes <= maxBytes) {
      return undefined;
    }
    if (bytes > endBytes) {
      socket.destroy();
    }
    if (rejected.has(socket)) {
      return 'dropped';
    }
    rejected.add(socket);
    return problem(
      'unavailable',
      `More than ${maxRequests} requests, or ${maxBytes} bytes, of the connection wait for responses.`,
      { headers: { Connection: 'close' } },
    );
  };
}

/** The size of a request whose body nothing has read yet. */
function bytesOf({ rawHeaders, url = '', readableLength }: IncomingMessage): number {
  let bytes = objectBytes + url.length + readableLength;
  for (const text of rawHeaders) {
    bytes += text.length;
  }
  return bytes;
}
