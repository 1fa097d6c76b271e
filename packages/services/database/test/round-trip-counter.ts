import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';

/** A relay before a PostgreSQL server. */
export interface RoundTripCounter {
  /** The server's URL, by way of the relay. */
  readonly url: string;
  /** The number of times that a client began to send after a response of the server. */
  roundTrips(): number;
  close(): Promise<void>;
}

/** Relays to the server of a URL and counts the round trips. */
export async function startRoundTripCounter(serverUrl: string): Promise<RoundTripCounter> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let roundTrips = 0;

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    let isClientsTurn = true;
    client.on('data', (chunk) => {
      roundTrips += isClientsTurn ? 1 : 0;
      isClientsTurn = false;
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      isClientsTurn = true;
      client.write(chunk);
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    sockets.add(client).add(upstream);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  const url = new URL(serverUrl);
  const address = server.address();
  url.port = String(typeof address === 'object' ? address?.port : '');
  return {
    url: url.href,
    roundTrips: () => roundTrips,
    async close() {
      server.close();
      sockets.forEach((socket) => socket.destroy());
      await once(server, 'close');
    },
  };
}
