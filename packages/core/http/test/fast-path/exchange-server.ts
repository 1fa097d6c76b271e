import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

import { createHttpServer, exchangeListener } from '@meridian/http';
import type { Exchange, HttpServer, HttpServerOptions, ServeExchange } from '@meridian/http';
import { createMetrics } from '@meridian/telemetry';
import type { Metrics } from '@meridian/telemetry';

import { renderProblem } from '../fixtures/example-app.ts';
import { memoryLogger } from '../fixtures/memory-logger.ts';

/** With the fast path, or with `node:http` alone. */
export type Path = 'fast' | 'plain';

export const paths: readonly (readonly [name: string, path: Path])[] = [
  ['with the fast path', 'fast'],
  ['without the fast path', 'plain'],
];

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
  limits: Pick<HttpServerOptions, 'maxStallMs' | 'maxWaitingBytes' | 'maxConnections' | 'endedIdleMs'> = {},
): Promise<ExchangeServer> {
  const { logger, lines } = memoryLogger();
  const metrics = createMetrics({ service: 'example' });
  const http = createHttpServer({
    ...(path === 'fast' ? { serve } : { handler: exchangeListener(serve) }),
    renderProblem,
    logger,
    metrics,
    ...limits,
  });
  const accepted = new Set<Socket>();
  http.server.on('connection', (socket: Socket) => {
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
    connect: async () => await connectTo(port),
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
export async function connectTo(port: number): Promise<Client> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  await once(socket, 'connect');
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
