import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

import { dropParts, isWhole, sendParts } from './body-in-parts.ts';
import type { BodyInParts, WholeBody } from './body-in-parts.ts';
import { minPieceBytes } from './read-body.ts';
import { peekRequestContext } from './request-context.ts';

/**
 * A response as a value. `Content-Length` is added when it is sent; a body in parts has `Transfer-Encoding: chunked`
 * instead, or ends with the connection of a client that speaks HTTP/1.0. `Connection: close`, with these capital and
 * small letters, ends the connection.
 */
export interface HttpResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: WholeBody | BodyInParts;
}

/** A response whose body is there as a whole. */
export interface WholeResponse extends HttpResponse {
  readonly body?: WholeBody;
}

/** For every 200 of the resource API: only the caller may store it, and must revalidate it each time. */
export const privateCacheControl = 'private, max-age=0, must-revalidate';

/** The number of bytes of an unwanted body that are still read, so that the response gets through. */
export const maxDrainBytes = 1_048_576;
export const maxDrainMs = 1000;

/**
 * Sends a response, with further header fields, and those that are already set. Unlike
 * Express's `send` and `json` it adds no entity tag, and turns no 200 into a 304. A client that is still sending its
 * body gets the response too: closing a connection with unread bytes resets it, and the reset can overtake the
 * response. So the response is sent first, then at most 1 MiB of the body is read and dropped, and the connection is
 * closed at the end of the body or after 1 s.
 *
 * @param furtherFields each name, followed by its value. Default: the fields of every response to the request
 */
export function sendResponse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers = {}, body = '' }: HttpResponse,
  furtherFields: readonly string[] = peekRequestContext(request)?.responseFields ?? [],
): void {
  const keepsSending = mayKeepSending(request, headers['Connection'] ?? response.getHeader('Connection'));
  // A list: Node checks and writes each name and value of it once. `setHeader` for each takes three times as long.
  const fields = [...furtherFields];
  for (const name in headers) {
    if (!isContentLength(name)) {
      fields.push(name, headers[name] ?? '');
    }
  }
  const hasBody = status !== 204 && status !== 304;
  if (hasBody && isWhole(body)) {
    fields.push('Content-Length', String(Buffer.byteLength(body)));
  }
  if (keepsSending && headers['Connection'] === undefined) {
    fields.push('Connection', 'close');
  }
  response.writeHead(status, fields);
  if (!isWhole(body)) {
    if (hasBody && request.method !== 'HEAD' && !response.closed) {
      sendInParts(request, response, { body, keepsSending });
    } else {
      dropParts(body);
      response.end();
    }
  } else if (keepsSending) {
    void sendBeforeClosing(request, response, body);
  } else {
    endWith(response, body);
  }
}

/** Apollo Server adds one; a list does not replace it. */
function isContentLength(name: string): boolean {
  return name.length === 14 && name.toLowerCase() === 'content-length';
}

/** The largest body that is cheaper to send as a text; for a longer one, the copy costs more than it saves. */
const maxTextBytes = 1024;

/**
 * Node sends a text together with the head, and bytes separately, which makes a short response a fifth more expensive.
 */
function endWith(response: ServerResponse, body: WholeBody): void {
  if (typeof body === 'string' || body.length > maxTextBytes) {
    response.end(body);
  } else {
    // Latin-1 maps each byte to one character and back.
    response.end(Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1'), 'latin1');
  }
}

/** True when more of the body may arrive than is read to keep the connection. */
function mayKeepSending(
  request: IncomingMessage,
  connection: ReturnType<ServerResponse['getHeader']>,
): boolean {
  if (request.complete) {
    return false;
  }
  const length =
    request.headers['transfer-encoding'] === undefined
      ? Number(request.headers['content-length'] ?? 0)
      : Number.POSITIVE_INFINITY;
  return length > 0 && (length > maxDrainBytes || connection === 'close');
}

/** Writes the whole response, but does not end it until the body is drained, which keeps the connection open. */
async function sendBeforeClosing(
  request: IncomingMessage,
  response: ServerResponse,
  body: WholeBody,
): Promise<void> {
  response.flushHeaders();
  response.write(body);
  await drain(request);
  response.end();
}

function sendInParts(
  request: IncomingMessage,
  response: ServerResponse,
  { body, keepsSending }: { readonly body: BodyInParts; readonly keepsSending: boolean },
): void {
  response.flushHeaders();
  const drained = keepsSending ? drain(request) : undefined;
  void sendParts(body, {
    stream: response,
    write: (part) => response.write(part),
    end() {
      if (drained === undefined) {
        response.end();
      } else {
        void drained.then(() => response.end());
      }
    },
    fail(error) {
      const reason = error instanceof Error ? error : new Error(String(error));
      peekRequestContext(request)?.log.error({ err: reason }, 'a response in parts broke off');
      if (!response.chunkedEncoding) {
        // Without chunks, an orderly end of the connection is the end of the body.
        breakOff(response.socket);
      }
      response.destroy(reason);
    },
  });
}

/** Ends a connection so that its client sees no orderly end: by a reset, or without TLS's own notice (RFC 9112 §9.8). */
function breakOff(socket: Socket | null): void {
  if (socket instanceof TLSSocket) {
    socket.destroy();
  } else {
    socket?.resetAndDestroy();
  }
}

async function drain(request: IncomingMessage): Promise<void> {
  let receivedBytes = 0;
  const count = (chunk: Buffer): void => {
    receivedBytes += Math.max(chunk.length, minPieceBytes);
    if (receivedBytes >= maxDrainBytes) {
      // The client waits now, and has the rest of the time to read the response.
      request.off('data', count).pause();
    }
  };
  request.on('data', count);
  // A failure means that the time is over, or that the client hung up: either way the connection is closed now.
  await once(request, 'close', { signal: AbortSignal.timeout(maxDrainMs) }).catch(() => undefined);
}
