import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';

import { composeSupergraph } from '@meridian/composition';

import { listen } from '../harness/listen.ts';

/** A subgraph with one subscription, over server-sent events, and another one with names. */
export type Feed = Awaited<ReturnType<typeof startFeed>>;

const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])';
const subgraphs = [
  {
    name: 'prices',
    sdl: `${link}
      type Query { cheapest: Product }
      type Subscription { priceChanged(id: ID!): Product }
      type Product @key(fields: "id") { id: ID! price: Int }`,
    response: JSON.stringify({ data: { cheapest: { __typename: 'Product', id: 'p1', price: 1 } } }),
  },
  {
    name: 'names',
    sdl: `${link}
      type Product @key(fields: "id") { id: ID! name: String }`,
    response: JSON.stringify({ data: { _entities: [{ __typename: 'Product', name: 'Product 1' }] } }),
  },
];

export async function startFeed() {
  const subscribers = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    request.resume();
    if (request.headers.accept?.includes('text/event-stream') !== true) {
      const subgraph = subgraphs.find(({ name }) => request.url === `/${name}`);
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(subgraph?.response);
      return;
    }
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(':\n\n');
    subscribers.add(response);
    response.on('close', () => subscribers.delete(response));
  });
  const port = await listen(server);
  const { supergraphSdl, errors } = composeSupergraph(
    subgraphs.map(({ name, sdl }) => ({ name, routingUrl: `http://127.0.0.1:${port}/${name}`, sdl })),
  );
  if (errors !== undefined) {
    throw new Error(errors.map(({ message }) => message).join('\n'));
  }
  return {
    supergraphSdl,
    /** Sends an event to all that have subscribed. */
    publish(price: number): void {
      const data = JSON.stringify({
        data: { priceChanged: { __typename: 'Product', id: 'p1', price } },
      });
      for (const subscriber of subscribers) {
        subscriber.write(`event: next\ndata: ${data}\n\n`);
      }
    },
    async close(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
