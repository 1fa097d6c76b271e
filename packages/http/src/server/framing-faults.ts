import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

import { problem } from '@meridian/problem-details';
import type { Problem } from '@meridian/problem-details';

import { longestDrainBytes, longestDrainMs } from '../response/answer.ts';
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
  const refused = new WeakSet<Socket>();

  const answer = (socket: Socket, fault: Problem): void => {
    const requestId = randomUUID();
    onFault(fault, requestId);
    endWith(socket, renderProblem(fault), requestId);
  };
  const refuse = (socket: Socket, fault: Problem): void => {
    refused.add(socket);
    const { latest, pending } = connections.exchangesOn(socket);
    const isInLatestBody = latest?.req.complete === false;
    const [oldest] = pending;
    if (isInLatestBody && (latest !== oldest || latest.headersSent)) {
      // The request with the fault in its body has its answer, or others come before it: nothing fits in any more.
      socket.destroy();
    } else if (isInLatestBody || oldest === undefined) {
      answer(socket, fault);
    } else {
      // The fault is in a pipelined request: the answers to those before it go out first.
      latest?.once('close', () => answer(socket, fault));
    }
  };

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const fault = faultOf(error);
    if (fault === undefined || !socket.writable) {
      socket.destroy();
    } else if (!refused.has(socket)) {
      refuse(socket, fault);
    }
  });
  server.on('connect', (_request, socket: Socket) => {
    // Node has let go of the socket: from here on nobody else minds its errors.
    socket.on('error', () => socket.destroy());
    refuse(socket, problem('malformed-request', 'This server is no proxy.'));
  });
}

/** The problem behind a parser's error; undefined for a connection that just broke. */
function faultOf({ code = '' }: NodeJS.ErrnoException): Problem | undefined {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return problem('headers-too-large', 'The request line and the headers are over 65536 bytes.');
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return problem('request-timeout', 'The request did not arrive completely in time.');
  }
  return code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE'
    ? problem('malformed-request', 'The request is not well-formed HTTP/1.1.')
    : undefined;
}

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
  closeWhenDrained(socket);
}

/**
 * Reads on for a while, as `sendAnswer` does, so that the answer reaches a client that is still sending. The parser takes
 * the bytes and reports the same fault again.
 */
function closeWhenDrained(socket: Socket): void {
  const enoughBytes = socket.bytesRead + longestDrainBytes;
  const timer = setTimeout(() => socket.destroy(), longestDrainMs);
  const check = setInterval(() => {
    if (socket.bytesRead >= enoughBytes) {
      socket.destroy();
    }
  }, 10);
  socket.once('close', () => {
    clearTimeout(timer);
    clearInterval(check);
  });
}
