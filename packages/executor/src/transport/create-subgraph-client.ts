import { createHttp1Client } from './http1/http1-client.ts';
import type { ClientTls, SubgraphClient, SubgraphTarget } from './subgraph-client.ts';
import { createUndiciClient } from './undici-client.ts';

export interface SubgraphClientOptions {
  /** The maximum of connections to one subgraph. Default: 256. Further requests wait. */
  readonly connectionsPerSubgraph?: number;
  /**
   * The maximum of queries on one connection that wait for responses. Default: 1. A higher number saves work
   * with many queries in flight, and makes each wait for the slowest one ahead of it. Undici ignores it.
   */
  readonly pipelining?: number;
  readonly tls?: ClientTls;
  /**
   * `own` is this package's client over sockets, and the default. `undici` serves to rule the other one out.
   */
  readonly implementation?: 'own' | 'undici';
}

/**
 * Creates a client. Targets that may be spoken to in HTTP/2 are left to undici, which knows both, until it has found that their
 * origin speaks HTTP/1.1 only.
 */
export function createSubgraphClient({
  connectionsPerSubgraph = 256,
  pipelining = 1,
  tls = {},
  implementation = 'own',
}: SubgraphClientOptions = {}): SubgraphClient {
  const http1 =
    implementation === 'own'
      ? createHttp1Client({ connectionsPerSubgraph, pipelining, tls })
      : createUndiciClient({ connectionsPerSubgraph, tls, isHttp2Allowed: false });
  const originsWithoutHttp2 = new Set<string>();
  const http2 = createUndiciClient({
    connectionsPerSubgraph,
    tls,
    isHttp2Allowed: true,
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
