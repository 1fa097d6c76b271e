import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { composeSupergraph } from '@meridian/composition';

/** A subgraph with one subscription, over server-sent events. */
export interface Feed {
  readonly supergraphSdl: string;
  /** Sends an event to all that have subscribed. */
  publish(price: number): void;
  close(): Promise<void>;
}

const sdl = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])
  type Query { cheapest: Product }
  type Subscription { priceChanged: Product }
  type Product @key(fields: "id") { id: ID! price: Int }
`;

export async function startFeed(): Promise<Feed> {
  const subscribers = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(':\n\n');
    subscribers.add(response);
    response.on('close', () => subscribers.delete(response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo;
  const { supergraphSdl, errors } = composeSupergraph([
    { name: 'prices', routingUrl: `http://127.0.0.1:${port}/graphql`, sdl },
  ]);
  if (errors !== undefined) {
    throw new Error(errors.map(({ message }) => message).join('\n'));
  }
  return {
    supergraphSdl,
    publish(price) {
      const data = JSON.stringify({
        data: { priceChanged: { __typename: 'Product', id: 'p1', price } },
      });
      for (const subscriber of subscribers) {
        subscriber.write(`event: next\ndata: ${data}\n\n`);
      }
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
