import type { Subgraph, SubgraphClient, SubgraphTransport, TargetObserver } from '@meridian/executor';
import { createHttpTransport, deduplicateQueries, supergraphFault } from '@meridian/executor';

import type { SubgraphSettings } from '../config/subgraph-settings.ts';
import { forwardedHeaders, noFields } from './forwarded-headers.ts';
import type { HeaderSource } from './header-source.ts';

/** The connections to the subgraphs of one supergraph. */
export interface SubgraphConnections {
  readonly transport: SubgraphTransport;
  /** The server of each subgraph, by its name. */
  readonly servers: ReadonlyMap<string, SubgraphServer>;
  /** The header fields that a subgraph gets from the client and from the configuration. */
  readonly forwardHeaders: (subgraph: string, source: HeaderSource) => Readonly<Record<string, string>>;
  /** The operations for every subgraph, in order. */
  readonly forwardToAll: (source: HeaderSource) => readonly Readonly<Record<string, string>>[];
}

/** A server, as OpenTelemetry's attributes name it. */
export interface SubgraphServer {
  readonly address: string;
  readonly port: number;
  /** Without credentials and query, which may be secret. */
  readonly url: string;
}

/** @throws {SupergraphError} when a subgraph has no usable URL */
export function connectSubgraphs(
  subgraphs: readonly Subgraph[],
  settingsOf: (subgraph: string) => SubgraphSettings,
  client: SubgraphClient,
  observerOf: (subgraph: string) => TargetObserver | undefined,
): SubgraphConnections {
  const connections = new Map(
    subgraphs.map(({ name, url }) => {
      const settings = settingsOf(name);
      const target = {
        ...settings,
        url: httpUrlOf(name, settings.url ?? url),
        observer: observerOf(name),
      };
      return [name, { settings, target, forwardHeaders: forwardedHeaders(settings.headerRules) }];
    }),
  );
  const targets = new Map(Array.from(connections, ([name, { target }]) => [name, target]));
  return {
    servers: new Map(Array.from(targets, ([name, { url }]) => [name, serverAt(new URL(url))])),
    transport: deduplicateQueries(createHttpTransport({ client, targets }), {
      isDeduplicated: (subgraph) => connections.get(subgraph)?.settings.deduplicatesQueries ?? false,
    }),
    forwardHeaders: (subgraph, source) => connections.get(subgraph)?.forwardHeaders(source) ?? noFields,
    forwardToAll: (source) =>
      Array.from(connections.values(), ({ forwardHeaders }) => forwardHeaders(source)),
  };
}

function httpUrlOf(subgraph: string, url: string): string {
  if (!/^https?:$/u.test(URL.parse(url)?.protocol ?? '')) {
    throw supergraphFault(
      `the subgraph "${subgraph}" has no http(s) URL; give it one with override_subgraph_url in router.yaml`,
    );
  }
  return url;
}

function serverAt({ protocol, hostname, host, port, pathname }: URL): SubgraphServer {
  return {
    address: hostname,
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
    url: `${protocol}//${host}${pathname}`,
  };
}
