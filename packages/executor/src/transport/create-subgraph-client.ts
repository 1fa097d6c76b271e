import { createHttp1Client } from './http1/http1-client.ts';
import type { SubgraphClient, SubgraphTarget } from './subgraph-client.ts';
import { createUndiciClient } from './undici-client.ts';

/** The maximum of connections to one subgraph. Further requests wait. */
const maxConnections = 256;

/**
 * Creates a client. A target that allows HTTP/2 is left to undici, which speaks both versions, until undici finds that the
 * origin speaks HTTP/1.1 only.
 */
export function createSubgraphClient(): SubgraphClient {
  const http1 = createHttp1Client({ maxConnections });
  const originsWithoutHttp2 = new Set<string>();
  const http2 = createUndiciClient({
    maxConnections,
    onSecureConnection(origin, isHttp2) {
      if (!isHttp2) {
        originsWithoutHttp2.add(origin);
      }
    },
  });
  return {
    send(target, request) {
      const isForHttp2 = mayBeHttp2(target) && !originsWithoutHttp2.has(originOf(target));
      return (isForHttp2 ? http2 : http1).send(target, request);
    },
    async close() {
      await Promise.all([http1.close(), http2.close()]);
    },
  };
}

function mayBeHttp2({ isHttp2Allowed = false, url }: SubgraphTarget): boolean {
  return isHttp2Allowed && url.startsWith('https:');
}

function originOf({ url }: SubgraphTarget): string {
  return URL.parse(url)?.origin ?? url;
}
