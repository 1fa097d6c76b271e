import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

import { problem } from '@meridian/problem-details';
import type { Problem } from '@meridian/problem-details';

import type { Answer } from '../response/answer.ts';
import type { RenderProblem } from '../response/problem-answer.ts';
import type { Connections } from './connections.ts';

export interface FramingFaultOptions {
  readonly connections: Connections;
  readonly renderProblem: RenderProblem;
  readonly onFault: (fault: Problem, requestId: string) => void;
}

/**
 * Answers, in the service's own form, what Node's parser refuses: there is no request then, only a socket, and Node would
 * write a bare status line. The connection ends, since nobody knows where a next request would start.
 */
export function answerFramingFaults(
  server: Server,
  { connections, renderProblem, onFault }: FramingFaultOptions,
): void {
  const answer = (socket: Socket, fault: Problem): void => {
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const requestId = randomUUID();
    onFault(fault, requestId);
    endWith(socket, renderProblem(fault), requestId);
  };
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const fault = faultOf(error);
    if (fault === undefined) {
      socket.destroy();
      return;
    }
    const pending = connections.pendingOn(socket);
    const [last] = pending.slice(-1);
    if (last === undefined) {
      answer(socket, fault);
    } else if (last.req.complete) {
      // A pipelined request: the answers to those before it must go out first.
      last.once('close', () => answer(socket, fault));
    } else if (last.headersSent || pending.length > 1) {
      socket.destroy();
    } else {
      answer(socket, fault);
    }
  });
  server.on('connect', (_request, socket: Socket) => {
    answer(socket, problem('malformed-request', 'This server is no proxy.'));
  });
}

/** The problem behind a parser's error; undefined for a connection that just broke. */
function faultOf({ code }: NodeJS.ErrnoException): Problem | undefined {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return problem('headers-too-large', 'The request line and the headers are over 65536 bytes.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return problem('request-timeout', 'The request did not arrive completely in time.');
    case 'HPE_INVALID_EOF_STATE':
      return undefined;
    case undefined:
      return undefined;
    default:
      return code.startsWith('HPE_')
        ? problem('malformed-request', 'The request is not well-formed HTTP/1.1.')
        : undefined;
  }
}

/** How long a client that was refused may keep its half of the connection open, so that it gets to read the answer. */
const lingerMs = 1000;

function endWith(socket: Socket, { status, headers = {}, body = '' }: Answer, requestId: string): void {
  const fields = {
    ...headers,
    'Request-Id': requestId,
    'Content-Length': Buffer.byteLength(body),
    Date: new Date().toUTCString(),
    Connection: 'close',
  };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head.join('')}\r\n`);
  socket.end(body);
  socket.setTimeout(lingerMs, () => socket.destroy());
}
