import { createHttp1Client } from './http1/http1-client.ts';
import type { ClientTls, SubgraphClient, SubgraphTarget } from './subgraph-client.ts';
import { createUndiciClient } from './undici-client.ts';

export interface SubgraphClientOptions {
  /** To one subgraph; 256 unless told. A request that finds all of them busy waits. */
  readonly connectionsPerSubgraph?: number;
  /**
   * How many queries may be on one connection at once, sent before those ahead of them are answered; 1 unless told. More saves
   * work where many are in flight, and has each of them wait for the slowest ahead of it. Undici is not told to.
   */
  readonly pipelining?: number;
  readonly tls?: ClientTls;
  /** `own` is this package's, over sockets, and the default; `undici` is there for whoever has to rule the other one out. */
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
