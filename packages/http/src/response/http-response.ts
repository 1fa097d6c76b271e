import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A whole response as a value. `Content-Length` is added when it is sent. */
export interface HttpResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** The length of a discarded request that is still read, so that its response gets through. */
export const longestDrainBytes = 1_048_576;
export const longestDrainMs = 1000;

/**
 * Sends an answer, next to the header fields that the response carries already. Unlike Express's own `send` and `json`
 * it adds no entity tag and turns no 200 into a 304.
 *
 * A client that is still sending its body gets the answer too: closing a connection with unread bytes on it resets it,
 * and the reset can overtake the answer. So the answer goes out first, then at most 1 MiB or 1 s of the body is read
 * and dropped, and only then is the connection closed.
 */
export function sendResponse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers = {}, body = '' }: HttpResponse,
): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) {
    response.setHeader(name, value);
  }
  if (status !== 204 && status !== 304) {
    response.setHeader('Content-Length', Buffer.byteLength(body));
  }
  if (mayKeepSending(request, response)) {
    void sendBeforeClosing(request, response, body);
  } else {
    endWith(response, body);
  }
}

/** Bytes of a body that cost less as a text: copying longer ones costs more than it saves. */
const longestText = 1024;

/** Node sends a text in one piece with the head, and bytes as a second piece, which costs a short response a fifth more. */
function endWith(response: ServerResponse, body: string | Uint8Array): void {
  if (typeof body === 'string' || body.length > longestText) {
    response.end(body);
  } else {
    // Each byte is one character, and becomes the same byte again.
    response.end(Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1'), 'latin1');
  }
}

/** True when more of the body may arrive than is read to keep the connection. */
function mayKeepSending(request: IncomingMessage, response: ServerResponse): boolean {
  const length =
    request.headers['transfer-encoding'] === undefined
      ? Number(request.headers['content-length'] ?? 0)
      : Number.POSITIVE_INFINITY;
  return (
    !request.complete &&
    length > 0 &&
    (length > longestDrainBytes || response.getHeader('Connection') === 'close')
  );
}

/** Writes the whole response, but does not end it until the body is drained, which keeps the connection open. */
async function sendBeforeClosing(
  request: IncomingMessage,
  response: ServerResponse,
  body: string | Uint8Array,
): Promise<void> {
  response.setHeader('Connection', 'close');
  response.flushHeaders();
  response.write(body);
  await drain(request);
  response.end();
}

async function drain(request: IncomingMessage): Promise<void> {
  const drained = new AbortController();
  let receivedBytes = 0;
  request.on('data', (chunk: Buffer) => {
    receivedBytes += chunk.length;
    if (receivedBytes >= longestDrainBytes) {
      drained.abort();
    }
  });
  try {
    await once(request, 'close', {
      signal: AbortSignal.any([drained.signal, AbortSignal.timeout(longestDrainMs)]),
    });
  } catch {
    // Enough was read, or the client went away: either way the connection is closed now.
  }
}
