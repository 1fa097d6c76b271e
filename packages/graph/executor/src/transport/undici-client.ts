import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { TLSSocket } from 'node:tls';

import { Agent, errors } from 'undici';
import type { buildConnector } from 'undici';

import { composeInterceptors } from '../interceptors/compose-interceptors.ts';
import { buildConnect } from './build-connect.ts';
import { decodeResponse } from './decode-response.ts';
import { limitTime } from './interceptors/limit-time.ts';
import { sendLostQueryAgain } from './interceptors/send-lost-query-again.ts';
import type { Peer, SubgraphClient, SubgraphTarget } from './subgraph-client.ts';
import {
  ConnectionLost,
  SubgraphFailure,
  failureOf,
  failureOfStatus,
  mayHoldGraphql,
} from './subgraph-failure.ts';
import type { SubgraphField, SubgraphRequest, SubgraphResponse } from './subgraph-transport.ts';

export interface UndiciClientOptions extends Peer {
  /** To one origin. */
  readonly maxConnections: number;
  /** False when each connection uses HTTP/1.1. */
  readonly isHttp2Allowed: boolean;
  /** True when each connection uses HTTP/2, also without TLS. */
  readonly isHttp2Required: boolean;
  /** True when no connection is kept once its response is there. */
  readonly closesConnections?: boolean;
  /** Called for each connection over TLS, with true when it uses HTTP/2. */
  readonly onSecureConnection: (origin: string, isHttp2: boolean) => void;
}

/** A client over undici's dispatcher: HTTP/2 where the other side offers it over TLS, else HTTP/1.1. */
export function createUndiciClient({
  maxConnections,
  isHttp2Allowed,
  isHttp2Required,
  closesConnections = false,
  onSecureConnection,
  ...peer
}: UndiciClientOptions): SubgraphClient {
  const lostOnUsedSockets = new WeakSet<Error>();
  const agent = new Agent({
    connections: maxConnections,
    // Not `reset`: its `Connection: close` makes servers that respond early close before the response is read.
    ...(closesConnections ? { keepAliveTimeout: 1, keepAliveMaxTimeout: 1 } : { keepAliveTimeout: 15_000 }),
    maxHeaderSize: 65_536,
    connect: markingConnector(lostOnUsedSockets, {
      isHttp2Allowed,
      isHttp2Required,
      onSecureConnection,
      ...peer,
    }),
    // Without TLS, undici learns of HTTP/2 only once it is connected: until then, requests wait for one connection.
    ...(isHttp2Required && { pipelining: 100 }),
    allowH2: isHttp2Allowed,
    // `limitTime` limits a whole request: these would only split it.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    exchangeWith: (target) =>
      composeInterceptors(
        [limitTime(target.timeoutMs), sendLostQueryAgain],
        async (request: SubgraphRequest<unknown>) => {
          try {
            return await decodeResponse(await exchange(agent, target, request), target.maxResponseBytes);
          } catch (error) {
            if (request.signal.aborted) {
              throw request.signal.reason;
            }
            const isLost = error instanceof NoResponse && isLostOnUsedSocket(error.cause, lostOnUsedSockets);
            throw isLost ? new ConnectionLost(error) : failureOf(error);
          }
        },
      ),
    close: () => agent.close(),
  };
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** The connection failed before the first byte of a response. */
class NoResponse extends Error {
  override readonly name = 'NoResponse';
}

async function exchange(
  agent: Agent,
  { url, maxResponseBytes }: SubgraphTarget,
  { body, encodedBody, parts, headers, signal, onFields }: SubgraphRequest<unknown>,
): Promise<SubgraphResponse> {
  const { origin, pathname, search } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<SubgraphResponse>();
  const chunks: Buffer[] = [];
  let head: { readonly status: number; readonly headers: Headers } | undefined;
  let receivedBytes = 0;
  let stop: (() => void) | undefined;

  agent.dispatch(
    {
      origin,
      path: pathname + search,
      method: 'POST',
      headers: {
        accept: 'application/json',
        'accept-encoding': 'gzip, br',
        'content-type': 'application/json',
        ...headers,
      },
      body: parts === undefined ? (encodedBody ?? body) : Readable.from(parts),
    },
    {
      onRequestStart(controller) {
        signal.removeEventListener('abort', stop ?? nothing);
        stop = () => controller.abort(new Error('The request was stopped', { cause: signal.reason }));
        signal.addEventListener('abort', stop);
        if (signal.aborted) {
          stop();
        }
      },
      onResponseStart(controller, status, headers) {
        head = { status, headers };
        if (status > 199) {
          onFields?.(fieldsIn(headers));
        }
        if (status > 299 && !mayHoldGraphql(fieldOf(headers, 'content-type'))) {
          controller.abort(failureOfStatus(status));
        }
      },
      onResponseData(controller, chunk) {
        receivedBytes += chunk.length;
        if (receivedBytes > maxResponseBytes) {
          controller.abort(
            head !== undefined && head.status > 299
              ? failureOfStatus(head.status)
              : new SubgraphFailure(
                  'SUBREQUEST_MALFORMED_RESPONSE',
                  `the response is over ${maxResponseBytes} bytes`,
                ),
          );
          return;
        }
        chunks.push(chunk);
      },
      onResponseEnd: () =>
        resolve({
          text: Buffer.concat(chunks, receivedBytes),
          cacheControl: fieldOf(head?.headers, 'cache-control'),
          status: head?.status ?? 0,
          contentEncoding: fieldOf(head?.headers, 'content-encoding'),
        }),
      onResponseError: (_controller, error) =>
        reject(head === undefined ? new NoResponse('no response', { cause: error }) : error),
    },
  );
  const abandon = (): void => reject(new NoResponse('the request was stopped', { cause: signal.reason }));
  // While it waits for a connection there is nothing to stop yet: it is stopped when it starts.
  signal.addEventListener('abort', abandon);
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', abandon);
    signal.removeEventListener('abort', stop ?? nothing);
  }
}

/** Makes connections, and marks errors of connections that have carried a response before. */
function markingConnector(
  lostOnUsedSockets: WeakSet<Error>,
  {
    isHttp2Allowed,
    isHttp2Required,
    onSecureConnection,
    ...peer
  }: Omit<UndiciClientOptions, 'maxConnections'>,
): buildConnector.connector {
  // The deadline bounds connecting too.
  const connect = buildConnect(peer, { allowH2: isHttp2Allowed, timeout: 0 });
  return ({ servername: _servername, ...target }, callback) => {
    // The expected name in the certificate. Undici would take it from the header field `host`, which callers
    // can set.
    const named = isIP(target.hostname) === 0 ? { servername: target.hostname } : {};
    connect({ ...target, ...named }, (...result) => {
      const [, socket] = result;
      socket?.on('error', (error) => {
        if (socket.bytesRead > 0) {
          lostOnUsedSockets.add(error);
        }
      });
      if (socket instanceof TLSSocket) {
        const isHttp2 = socket.alpnProtocol === 'h2';
        onSecureConnection(`${target.protocol}//${target.host}`, isHttp2);
        if (isHttp2Required && !isHttp2) {
          socket.destroy();
          callback(new Error('the subgraph does not offer HTTP/2'), null);
          return;
        }
      } else if (isHttp2Required && socket !== null) {
        // undici reads the version of a connection from this property, which it has no other way to set here.
        Object.assign(socket, { alpnProtocol: 'h2' });
      }
      callback(...result);
    });
  };
}

/** undici reports how much a closed socket has read; a failed socket was marked. */
function isLostOnUsedSocket(error: unknown, lostOnUsedSockets: WeakSet<Error>): boolean {
  if (!(error instanceof Error)) {
    return false;
  }
  return (
    lostOnUsedSockets.has(error) ||
    (error instanceof errors.SocketError && (error.socket?.bytesRead ?? 0) > 0)
  );
}

function fieldOf(headers: Headers | undefined, name: string): string | undefined {
  const value = headers?.[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

function fieldsIn(headers: Headers): readonly SubgraphField[] {
  return Object.entries(headers).flatMap(([name, value = []]) =>
    [value].flat().map((one): SubgraphField => [name.toLowerCase(), one]),
  );
}

function nothing(): void {}
