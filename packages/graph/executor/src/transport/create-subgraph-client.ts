import type { SecureContext } from 'node:tls';

import { createHttp1Client } from './http1/http1-client.ts';
import type { Peer, SubgraphClient, SubgraphTarget } from './subgraph-client.ts';
import type { CallSubgraph } from './subgraph-transport.ts';
import type { UndiciClientOptions } from './undici-client.ts';

/** The maximum of connections to one subgraph. Further requests wait. */
const maxConnections = 256;

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
  let http2: Promise<SubgraphClient> | undefined;
  let http2Only: Promise<SubgraphClient> | undefined;
  let parts: Promise<SubgraphClient> | undefined;
  const openUndici = async (
    options: Pick<UndiciClientOptions, 'isHttp2Allowed' | 'isHttp2Required' | 'closesConnections'>,
  ): Promise<SubgraphClient> => {
    const { createUndiciClient } = await import('./undici-client.ts');
    return createUndiciClient({
      maxConnections,
      socketPath,
      tls,
      ...options,
      onSecureConnection(origin, isHttp2) {
        if (!isHttp2) {
          originsWithoutHttp2.add(origin);
        }
      },
    });
  };
  return {
    exchangeWith(target) {
      if (target.takesParts === true) {
        // A kept connection may be closed when a body is sent on it that cannot be sent again.
        return callOver(
          () =>
            (parts ??= openUndici({
              isHttp2Allowed: false,
              isHttp2Required: false,
              closesConnections: true,
            })),
          target,
        );
      }
      if (target.isHttp2Required === true) {
        return callOver(
          () => (http2Only ??= openUndici({ isHttp2Allowed: true, isHttp2Required: true })),
          target,
        );
      }
      const overHttp1 = http1.exchangeWith(target);
      if (!mayBeHttp2(target)) {
        return overHttp1;
      }
      const origin = originOf(target);
      const overHttp2 = callOver(
        () => (http2 ??= openUndici({ isHttp2Allowed: true, isHttp2Required: false })),
        target,
      );
      return (request) => (originsWithoutHttp2.has(origin) ? overHttp1(request) : overHttp2(request));
    },
    async close() {
      await Promise.all([
        http1.close(),
        ...[http2, http2Only, parts].map((client) => client?.then((opened) => opened.close())),
      ]);
    },
  };
}

/** Calls a target with a client that is opened for the first request. */
function callOver(open: () => Promise<SubgraphClient>, target: SubgraphTarget): CallSubgraph<unknown> {
  let opened: Promise<CallSubgraph<unknown>> | undefined;
  return (request) => {
    opened ??= open().then((client) => client.exchangeWith(target));
    return opened.then((call) => call(request));
  };
}

function mayBeHttp2({ isHttp2Allowed = false, url }: SubgraphTarget): boolean {
  return isHttp2Allowed && url.startsWith('https:');
}

function originOf({ url }: SubgraphTarget): string {
  return URL.parse(url)?.origin ?? url;
}
