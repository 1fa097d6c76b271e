import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

import { createHttpServer, exchangeListener } from '@meridian/http';
import type { Exchange, HttpServer, HttpServerOptions, ServeExchange } from '@meridian/http';
import { createMetrics } from '@meridian/telemetry';
import { createSelfSignedCertificate } from '@meridian/testing';
import type { Metrics } from '@meridian/telemetry';

import { renderProblem } from '../fixtures/example-app.ts';
import { memoryLogger } from '../fixtures/memory-logger.ts';

/** With the fast path, over TCP or over TLS, or with `node:http` alone. */
export type Path = 'fast' | 'plain' | 'tls';

export const paths: readonly (readonly [name: string, path: Path])[] = [
  ['with the fast path', 'fast'],
  ['without the fast path', 'plain'],
];

/** TLS carries the same bytes. A client over it cannot reset its connection, and the system has other buffers. */
export const pathsAndTls: typeof paths = [...paths, ['with the fast path over TLS', 'tls']];

/** Shown by servers over TLS. */
export const certificate = createSelfSignedCertificate();

export interface ExchangeServer extends HttpServer {
  readonly metrics: Metrics;
  /** The lines of the log. */
  readonly lines: () => Record<string, unknown>[];
  readonly port: number;
  /** The open sockets that the server has accepted, in their order. */
  readonly accepted: ReadonlySet<Socket>;
  connect(): Promise<Client>;
  close(): Promise<void>;
}

/** A server of exchanges on a free port. */
export async function startExchangeServer(
  serve: ServeExchange,
  path: Path = 'fast',
  limits: Pick<
    HttpServerOptions,
    'headLimits' | 'maxStallMs' | 'maxWaitingBytes' | 'maxConnections' | 'endedIdleMs' | 'tls'
  > = {},
): Promise<ExchangeServer> {
  const { logger, lines } = memoryLogger();
  const metrics = createMetrics({ service: 'example' });
  const http = createHttpServer({
    ...(path === 'plain' ? { handler: exchangeListener(serve) } : { serve }),
    tls: path === 'tls' ? { certificate: certificate.cert, key: certificate.key } : undefined,
    renderProblem,
    logger,
    metrics,
    ...limits,
  });
  const accepted = new Set<Socket>();
  http.server.on(path === 'tls' ? 'secureConnection' : 'connection', (socket: Socket) => {
    accepted.add(socket);
    socket.once('close', () => accepted.delete(socket));
  });
  http.server.listen(0, '127.0.0.1');
  await once(http.server, 'listening');
  const { port } = http.server.address() as AddressInfo;
  return {
    ...http,
    metrics,
    lines,
    port,
    accepted,
    connect: async () => await connectTo(port, path === 'tls'),
    async close() {
      const closed = once(http.server, 'close');
      http.server.close();
      http.connections.closeAll();
      await closed;
    },
  };
}

export interface Client {
  readonly socket: Socket;
  /** All that it has received, a character for each byte. */
  readonly received: () => string;
  readonly receivedBytes: () => number;
  /** The statuses of the responses, in their order. */
  readonly statuses: () => number[];
  /** Resolves with all that it has received, when the connection has ended. */
  readonly ended: Promise<string>;
}

/** A client that does not end its side by itself. */
export async function connectTo(port: number, isSecure = false): Promise<Client> {
  const socket = await openSocket(port, isSecure);
  const chunks: Buffer[] = [];
  const received = (): string => Buffer.concat(chunks).toString('latin1');
  const ended = Promise.withResolvers<string>();
  socket
    .on('data', (chunk: Buffer) => chunks.push(chunk))
    .on('end', () => {
      socket.end();
      ended.resolve(received());
    })
    .on('error', () => {})
    .on('close', () => ended.resolve(received()));
  return {
    socket,
    received,
    receivedBytes: () => socket.bytesRead,
    statuses: () => [...received().matchAll(/HTTP\/1\.1 (\d+)/gu)].map(([, status]) => Number(status)),
    ended: ended.promise,
  };
}

export async function openSocket(port: number, isSecure: boolean): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  await once(socket, 'connect');
  if (!isSecure) {
    return socket;
  }
  const secured = connectSecurely({ socket, host: '127.0.0.1', ca: certificate.cert });
  // A server that has no room ends the connection before or during the handshake.
  await Promise.race([once(secured, 'secureConnect'), once(secured, 'close')]).catch(() => {});
  return secured;
}

/** Serves exchanges when the test wants it, and notes how they end. */
export interface HeldExchanges {
  readonly serve: ServeExchange;
  /** Resolves with the exchange that arrives as the nth, from 0. */
  arrival(index: number): Promise<Exchange>;
  readonly arrived: readonly Exchange[];
  /** The final status of each exchange, in the order in which they end. */
  readonly ends: readonly number[];
}

export function holdExchanges(): HeldExchanges {
  const arrived: Exchange[] = [];
  const ends: number[] = [];
  const waiting = new Map<number, (exchange: Exchange) => void>();
  return {
    arrived,
    ends,
    serve(exchange) {
      exchange.onEnd((status) => ends.push(status));
      arrived.push(exchange);
      waiting.get(arrived.length - 1)?.(exchange);
    },
    async arrival(index) {
      return arrived[index] ?? (await new Promise<Exchange>((resolve) => waiting.set(index, resolve)));
    },
  };
}

/** A request that the fast path takes. */
export function get(target = '/'): string {
  return `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`;
}

export function post(body: string, target = '/'): string {
  return `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}
