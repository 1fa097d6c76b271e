// Subgraphs with subscriptions, each by a library that is not ours.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createHandler } from 'graphql-sse/lib/use/http';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';

import type { PriceFeed } from './price-feed.ts';
import { pricesSchema, resumeAfterOf, subscribeWithCursors } from './price-feed.ts';
import { createYoga } from './yoga.js';

export interface Peer {
  readonly url: string;
  /** The number of open connections. */
  connections(): number;
  /** Ends as a deployed service does: connections are closed, streams are not completed. */
  stop(): Promise<void>;
}

/** A connection to a peer: what the gateway sent with it. */
export interface Opened {
  readonly headers: IncomingHttpHeaders;
  /** Over a WebSocket. */
  readonly connectionParams: unknown;
  readonly extensions?: unknown;
}

export interface PeerOptions {
  readonly feed: PriceFeed;
  /** Default: a free one. */
  readonly port?: number;
  readonly onOpen?: (opened: Opened) => void;
  /** True for a subgraph that names the position at which each stream begins, as `@meridian/subgraph` does. */
  readonly namesStart?: boolean;
}

/** A server of the library graphql-ws: `graphql-transport-ws`. */
export async function startWebSocketPeer({ feed, port = 0, onOpen, namesStart }: PeerOptions): Promise<Peer> {
  const server = createServer();
  const webSockets = new WebSocketServer({ server, path: '/graphql' });
  const library = useServer(
    {
      schema: pricesSchema(feed),
      context: (_context, _id, { extensions }) => resumeAfterOf(extensions),
      subscribe: subscribeWithCursors,
      onSubscribe({ extra, connectionParams }, id, { extensions }) {
        if (namesStart === true) {
          extra.socket.send(
            JSON.stringify({ type: 'ping', payload: { id, cursor: startOf(feed, extensions) } }),
          );
        }
        onOpen?.({ headers: extra.request.headers, connectionParams, extensions });
      },
    },
    webSockets,
  );
  const peer = await listen(server, port);
  return {
    ...peer,
    async stop() {
      await library.dispose();
      webSockets.close();
      await peer.stop();
    },
  };
}

/** A server of the library graphql-sse, in distinct connections mode. */
export function startGraphqlSsePeer({ feed, port = 0, onOpen, namesStart }: PeerOptions): Promise<Peer> {
  const handler = createHandler({
    schema: pricesSchema(feed),
    context: (_request, { extensions }) => ({ ...resumeAfterOf(extensions) }),
    subscribe: subscribeWithCursors,
    onSubscribe({ raw, context: { res } }, { extensions }) {
      if (namesStart === true) {
        // After the head.
        setImmediate(() => void res.write(`id: ${startOf(feed, extensions)}\n\n`));
      }
      onOpen?.({ headers: raw.headers, connectionParams: undefined, extensions });
    },
  });
  return listen(
    createServer((request, response) => void handler(request, response)),
    port,
  );
}

/** A subgraph of GraphQL Yoga, which serves subscriptions as server-sent events. */
export function startYogaPeer({ feed, port = 0, onOpen }: PeerOptions): Promise<Peer> {
  const yoga = createYoga({
    schema: pricesSchema(feed),
    logging: false,
    context: ({ req, params }) => {
      onOpen?.({ headers: req.headers, connectionParams: undefined, extensions: params.extensions });
      return { ...resumeAfterOf(params.extensions) };
    },
    plugins: [followingPositions],
  });
  return listen(createServer(yoga), port);
}

const followingPositions: Parameters<typeof createYoga>[0]['plugins'][number] = {
  onSubscribe({ setSubscribeFn }) {
    setSubscribeFn(subscribeWithCursors);
  },
};

/** The position at which a stream begins. */
function startOf(feed: PriceFeed, extensions: unknown): string {
  return String(resumeAfterOf(extensions).resumeAfter ?? feed.log.length);
}

async function listen(server: Server, port: number): Promise<Peer> {
  const sockets = new Set<unknown>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}/graphql`,
    connections: () => sockets.size,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
