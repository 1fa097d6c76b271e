import type { SecureContext } from 'node:tls';

import { createHttp1Client } from './http1/http1-client.ts';
import type { Peer, SubgraphClient, SubgraphTarget } from './subgraph-client.ts';
import type { CallSubgraph } from './subgraph-transport.ts';

/** The maximum of connections to one subgraph. Further requests wait. */
const maxConnections = 256;

/** The ways to use undici. */
const undiciWays = {
  http2: { isHttp2Allowed: true, isHttp2Required: false },
  http2Only: { isHttp2Allowed: true, isHttp2Required: true },
  // A kept connection may be closed when a body is sent on it that cannot be sent again.
  parts: { isHttp2Allowed: false, isHttp2Required: false, closesConnections: true },
} as const;

/**
 * Creates a client. A target that allows HTTP/2 is left to undici, which speaks both versions, until undici finds that
 * the origin speaks HTTP/1.1 only. So is one that requires HTTP/2, or takes a body in parts, over HTTP/1.1. undici is
 * loaded for the first such target.
 */
export function createSubgraphClient(): SubgraphClient {
  const clients = new Map<unknown, SubgraphClient & { readonly context: SecureContext | undefined }>();
  const clientOf = (target: SubgraphTarget): SubgraphClient => {
    // A socket is reached without TLS, so one of them tells peers apart.
    const peer = target.socketPath ?? target.tls;
    const context = target.tls?.current;
    const held = clients.get(peer);
    if (held !== undefined && held.context === context) {
      return held;
    }
    // Kept connections of former certificates end once the requests on them have.
    void held?.close();
    const client = { ...createPeerClient(target), context };
    clients.set(peer, client);
    return client;
  };
  return {
    exchangeWith(target) {
      const { tls } = target;
      let call = clientOf(target).exchangeWith(target);
      if (tls === undefined) {
        return call;
      }
      let context = tls.current;
      return (request) => {
        if (tls.current !== context) {
          context = tls.current;
          call = clientOf(target).exchangeWith(target);
        }
        return call(request);
      };
    },
    async close() {
      await Promise.all(Array.from(clients.values(), (client) => client.close()));
    },
  };
}

/** A client for all targets of one socket, or with the same certificates. */
function createPeerClient({ socketPath, tls }: Peer): SubgraphClient {
  const http1 = createHttp1Client({ maxConnections, socketPath, tls });
  const originsWithoutHttp2 = new Set<string>();
  const opened = new Map<keyof typeof undiciWays, Promise<SubgraphClient>>();
  const open = async (way: keyof typeof undiciWays): Promise<SubgraphClient> => {
    const { createUndiciClient } = await import('./undici-client.ts');
    return createUndiciClient({
      maxConnections,
      socketPath,
      tls,
      ...undiciWays[way],
      onSecureConnection(origin, isHttp2) {
        if (!isHttp2) {
          originsWithoutHttp2.add(origin);
        }
      },
    });
  };
  /** Calls a target with a client that is opened for the first request. */
  const callOver = (way: keyof typeof undiciWays, target: SubgraphTarget): CallSubgraph<unknown> => {
    let exchange: Promise<CallSubgraph<unknown>> | undefined;
    return (request) => {
      const client = opened.get(way) ?? open(way);
      opened.set(way, client);
      exchange ??= client.then((one) => one.exchangeWith(target));
      return exchange.then((call) => call(request));
    };
  };
  return {
    exchangeWith(target) {
      if (target.takesParts === true) {
        return callOver('parts', target);
      }
      if (target.isHttp2Required === true) {
        return callOver('http2Only', target);
      }
      const overHttp1 = http1.exchangeWith(target);
      const { protocol, origin } = URL.parse(target.url) ?? {};
      if (target.isHttp2Allowed !== true || protocol !== 'https:' || origin === undefined) {
        return overHttp1;
      }
      const overHttp2 = callOver('http2', target);
      return (request) => (originsWithoutHttp2.has(origin) ? overHttp1(request) : overHttp2(request));
    },
    async close() {
      await Promise.all([
        http1.close(),
        ...Array.from(opened.values(), async (client) => (await client).close()),
      ]);
    },
  };
}
