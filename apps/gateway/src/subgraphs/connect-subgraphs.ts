import type {
  ServerPlace,
  Subgraph,
  SubgraphClient,
  SubgraphInterceptor,
  SubgraphTarget,
  SubgraphTransport,
} from '@meridian/executor';
import { createHttpTransport, readServerUrl, supergraphFault } from '@meridian/executor';

import type { SubgraphSettings } from '../config/subgraph-settings.ts';
import type { Run } from '../operation/run.ts';
import type { OpenCache } from '../response-cache/response-caches.ts';
import type { SubgraphStages } from '../stages/subgraph-stages.ts';
import type { ForwardedFields } from './header-rules.ts';
import { forwardedHeaders } from './header-rules.ts';
import type { SubgraphTls } from './subgraph-tls.ts';
import type { CommonInterceptors } from './subgraph-interceptors.ts';
import { subgraphInterceptors } from './subgraph-interceptors.ts';

/** A server, as OpenTelemetry's attributes name it. */
export interface SubgraphServer {
  /** A host, or the path of a Unix domain socket. */
  readonly address: string;
  readonly port: number | undefined;
  /** Without credentials and query, which may be secret. */
  readonly url: string;
}

export interface ConnectOptions extends CommonInterceptors {
  readonly settingsOf: (subgraph: string) => SubgraphSettings;
  readonly client: SubgraphClient;
  readonly tlsOf: SubgraphTls['of'];
  readonly measureCalls: (subgraph: string) => SubgraphInterceptor<Run>;
  /** Undefined where nothing is at the stages of requests to subgraphs. */
  readonly stages?: SubgraphStages | undefined;
  /** The cache of a subgraph's responses; undefined where none are kept. */
  readonly openCache?: OpenCache | undefined;
  /** True when clients send files. */
  readonly sendsFiles?: boolean;
  /** The circuit of a subgraph that has one. */
  readonly openCircuit?: OpenCircuit | undefined;
  /** Opens streams of these targets; undefined where subscriptions are not served. */
  readonly openStreams?: OpenStreams | undefined;
}

export type OpenCircuit = (
  subgraph: string,
  settings: SubgraphSettings,
) => SubgraphInterceptor<Run> | undefined;

export type OpenStreams = (
  targets: ReadonlyMap<string, SubgraphTarget>,
) => NonNullable<SubgraphTransport<Run>['subscribe']>;

/**
 * Opens the connections to the subgraphs of one supergraph.
 *
 * @throws {SupergraphError} when a subgraph has no usable URL
 */
export function connectSubgraphs(
  subgraphs: readonly Subgraph[],
  {
    settingsOf,
    client,
    tlsOf,
    measureCalls,
    stages,
    openCache,
    openCircuit,
    openStreams,
    sendsFiles = false,
    ...common
  }: ConnectOptions,
) {
  const targets = new Map<string, SubgraphTarget>();
  const interceptors = new Map<string, ReturnType<typeof subgraphInterceptors>>();
  /** The header fields that a subgraph gets from the client and from the configuration; absent for none. */
  const forwarded = new Map<string, ForwardedFields>();
  for (const { name, url } of subgraphs) {
    const settings = settingsOf(name);
    const forwardedFields = forwardedHeaders(settings.headerRules);
    if (forwardedFields !== undefined) {
      forwarded.set(name, forwardedFields);
    }
    const place = placeOf(name, settings.url ?? url);
    const target = { ...settings, ...place, tls: tlsOf(name, settings.certificates) };
    targets.set(name, target);
    interceptors.set(
      name,
      subgraphInterceptors({
        settings,
        url: place.url,
        measure: measureCalls(name),
        stages: stages?.interceptor,
        ...common,
        openCache:
          openCache && ((rules) => openCache({ subgraph: name, place: textOf(place), responseRules: rules })),
        circuit: openCircuit?.(name, settings),
        sendParts: sendsFiles ? client.exchangeWith({ ...target, takesParts: true }) : undefined,
      }),
    );
  }
  const subscribe = openStreams?.(targets);
  return {
    /** The server of each subgraph, by its name. */
    servers: new Map(
      Array.from(targets, ([name, { url, socketPath }]) => [name, serverAt(new URL(url), socketPath)]),
    ),
    transport: createHttpTransport<Run>({
      client,
      targets,
      interceptorsOf: (subgraph) => interceptors.get(subgraph) ?? [],
      subscribe: subscribe && (stages?.aroundSubscribe(subscribe) ?? subscribe),
    }),
    forwarded,
    /** True when rules pass header fields of a subgraph on to clients. */
    passesFieldsOn: subgraphs.some(({ name }) => settingsOf(name).responseHeaderRules.length > 0),
  };
}

/** One text for each server: a URL alone does not name a socket. */
function textOf({ url, socketPath }: ServerPlace): string {
  return socketPath === undefined ? url : JSON.stringify([socketPath, url]);
}

function placeOf(subgraph: string, url: string): ServerPlace {
  const place = readServerUrl(url);
  if (place === undefined) {
    throw supergraphFault(
      `the subgraph "${subgraph}" has no http(s) or unix URL; give it one with override_subgraph_url in router.yaml`,
    );
  }
  return place;
}

function serverAt({ protocol, hostname, host, port, pathname }: URL, socketPath?: string): SubgraphServer {
  if (socketPath !== undefined) {
    return { address: socketPath, port: undefined, url: `unix://${socketPath}?path=${pathname}` };
  }
  return {
    address: hostname,
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
    url: `${protocol}//${host}${pathname}`,
  };
}
