import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

import { problem } from '@meridian/problem-details';
import type { Problem } from '@meridian/problem-details';

import { maxDrainBytes, maxDrainMs } from '../exchange/http-response.ts';
import type { WholeResponse } from '../exchange/http-response.ts';
import { nodeHttp } from '../exchange/node-http.ts';
import type { RenderProblem } from '../exchange/render-problem.ts';
import type { Connections } from './connections.ts';
import { headersTooLarge } from './message-rules.ts';
import type { HeadLimits } from './message-rules.ts';

export interface FramingFaultOptions {
  readonly connections: Connections;
  readonly renderProblem: RenderProblem;
  readonly onFault: (fault: Problem, requestId: string) => void;
  readonly limits: HeadLimits;
}

/**
 * Responds in the service's format to bytes that Node's parser rejects. There is no request then, only a socket, and
 * Node would write a bare status line. The connection is closed, because the start of the next request is unknown.
 */
export function handleFramingFaults(
  server: Server,
  { connections, renderProblem, onFault, limits }: FramingFaultOptions,
): void {
  /** The connections whose bytes are dropped, with the total number of bytes after which each is cut off. */
  const dropped = new WeakMap<Socket, number>();

  const respond = (socket: Socket, fault: Problem): void => {
    const requestId = randomUUID();
    onFault(fault, requestId);
    respondOnSocket(socket, renderProblem(fault), requestId);
  };
  const dropFurtherBytes = (socket: Socket): void => {
    dropped.set(socket, socket.bytesRead + maxDrainBytes);
  };
  const refuse = (socket: Socket, fault: Problem): void => {
    dropFurtherBytes(socket);
    const { latest, pending } = connections.exchangesOn(socket);
    const faulty = latest?.req.complete === false ? latest : undefined;
    const respondNow = (): void => {
      if (faulty?.headersSent === true && faulty.chunkedEncoding && !faulty.writableEnded) {
        // To end it would make the client take it for a complete one.
        socket.destroy();
      } else if (faulty?.headersSent === true) {
        // The last response of this connection was written; its bytes may still have to be sent.
        faulty.end();
        destroyLater(socket);
      } else {
        respond(socket, fault);
      }
    };
    // The fault is in a pipelined request: the responses to earlier requests are sent first.
    const before = pending.findLast((response) => response !== faulty);
    if (before === undefined) {
      respondNow();
    } else {
      before.once('close', () => {
        // The last of them may have ended the connection: the client gets no further response then.
        if (socket.writable) {
          respondNow();
        }
      });
    }
  };

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const enoughBytes = dropped.get(socket);
    if (enoughBytes === undefined) {
      const fault = faultOf(error, limits);
      if (error.code === closedConnection && connections.exchangesOn(socket).pending.length > 0) {
        // The pending response ends the connection.
        dropFurtherBytes(socket);
      } else if (fault === undefined || socket.bytesRead === 0 || !socket.writable) {
        // This includes a connection that was opened in advance and never used, which awaits no response.
        socket.destroy();
      } else {
        refuse(socket, fault);
      }
    } else if (socket.bytesRead >= enoughBytes) {
      // The parser receives what the client still sends, and reports the same fault for each chunk.
      socket.destroy();
    }
  });
  server.on('connect', (_request, socket: Socket) => {
    // Node has released the socket: from here on only this code handles its errors.
    socket.on('error', () => socket.destroy()).resume();
    refuse(socket, problem('malformed-request', 'This server is not a proxy.'));
  });
}

/** Node's code for bytes after a request with `Connection: close`. They are ignored, RFC 9112 §9.6. */
const closedConnection = 'HPE_CLOSED_CONNECTION';

/** The problem for an error of the parser; undefined for a broken connection, or one that has had its last request. */
function faultOf({ code = '' }: NodeJS.ErrnoException, limits: HeadLimits): Problem | undefined {
  if (code === 'HPE_HEADER_OVERFLOW') {
    // Some versions of Node report too many fields by this code too, others drop them: see `messageFault`.
    return headersTooLarge(limits);
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return problem('request-timeout', 'The request did not arrive completely in time.');
  }
  return code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE' && code !== closedConnection
    ? problem('malformed-request', 'The request is not well-formed HTTP/1.1.')
    : undefined;
}

/** Writes a response to a socket that Node has released, and closes it. */
export function respondOnSocket(
  socket: Socket,
  { status, headers = {}, body = '' }: WholeResponse,
  requestId: string,
): void {
  const fields = {
    ...headers,
    'Request-Id': requestId,
    'Content-Length': Buffer.byteLength(body),
    Date: new Date().toUTCString(),
    Connection: 'close',
  };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${nodeHttp.STATUS_CODES[status] ?? ''}\r\n${head.join('')}\r\n`);
  socket.end(body);
  destroyLater(socket);
}

/** As in `sendResponse`: the client may still be sending, and a reset could overtake the response. */
function destroyLater(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), maxDrainMs);
  socket.once('close', () => clearTimeout(timer));
}
