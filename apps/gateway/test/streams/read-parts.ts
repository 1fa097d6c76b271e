import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:http';

/** A response in parts, as it arrives. */
export interface PartsResponse {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  /** The bodies of the parts, parsed. */
  readonly parts: AsyncIterable<unknown>;
  /** Reads no more until the parts are iterated. */
  readonly pause: () => void;
  /** Ends the connection. */
  readonly leave: () => void;
}

/**
 * Sends a request, and reads the parts of its response as Apollo's clients do.
 *
 * @param hasHeartbeats true for the parts `{}` of a subscription, which come on a slow machine
 * @param path `fast`: the fast path. `node`: a header field that it does not take makes `node:http` serve it
 */
export async function requestParts(
  url: string,
  body: object,
  {
    headers = {},
    path = 'fast',
    hasHeartbeats = false,
  }: {
    readonly headers?: Record<string, string>;
    readonly path?: 'fast' | 'node';
    readonly hasHeartbeats?: boolean;
  } = {},
): Promise<PartsResponse> {
  const text = JSON.stringify(body);
  const sent = request(url, {
    method: 'POST',
    agent: false,
    headers: {
      Connection: path === 'fast' ? 'keep-alive' : 'close',
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
      ...headers,
    },
  });
  sent.on('error', () => {}).end(text);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.on('error', () => {});
  return {
    status: response.statusCode,
    headers: response.headers,
    parts: partsOf(response, hasHeartbeats),
    pause: () => void response.pause(),
    leave: () => void sent.destroy(),
  };
}

async function* partsOf(
  response: IncomingMessage,
  hasHeartbeats: boolean,
): AsyncGenerator<unknown, void, void> {
  let rest = '';
  for await (const chunk of response as AsyncIterable<Buffer>) {
    const pieces = (rest + chunk.toString()).split('\r\n--graphql');
    rest = pieces.pop() ?? '';
    for (const piece of pieces.filter((text) => text !== '')) {
      const json = piece.slice(piece.indexOf('\r\n\r\n')).trim();
      if (hasHeartbeats || json !== '{}') {
        yield JSON.parse(json);
      }
    }
  }
  if (rest.trim() !== '--') {
    throw new Error(`The body ends with ${JSON.stringify(rest)}`);
  }
}
