import type { RouterConfig } from '@meridian/router-config';

import type { ClientCertificates } from './client-certificates.ts';
import { clientCertificates } from './client-certificates.ts';

/** The settings of all subgraphs. */
export type SubgraphsConfig = ReturnType<typeof subgraphsConfig>;

/** The settings of one subgraph in router.yaml, merged with the settings for all. */
export type SubgraphSettings = ReturnType<SubgraphsConfig['settingsOf']>;

/**
 * @param workers the processes that share a limit
 * @throws {RouterConfigError} for certificates that cannot be used
 */
export function subgraphsConfig(file: RouterConfig, workers: number) {
  const { json_max_depth, json_max_values, json_max_names } = file.meridian.limits.subgraph;
  const certificatesOf = subgraphCertificates(file);
  return {
    settingsOf: (name: string) => ({
      ...subgraphSettings(file, name, workers),
      /** Undefined where nothing but Node's authorities is configured. */
      certificates: certificatesOf(name),
    }),
    /** Those that router.yaml names, in the supergraph or not; sorted. */
    named: namedSubgraphs(file),
    /** Of a response, before it is parsed. */
    responseBounds: { maxDepth: json_max_depth, maxValues: json_max_values, maxNames: json_max_names },
  };
}

/** @throws {RouterConfigError} */
function subgraphCertificates({ tls }: RouterConfig): (name: string) => ClientCertificates | undefined {
  const { all, subgraphs } = tls.subgraph;
  const common = clientCertificates('tls.subgraph.all', all);
  const own = new Map(
    Array.from(subgraphs, ([name, section]) => [
      name,
      clientCertificates(`tls.subgraph.subgraphs.${name}`, section, all),
    ]),
  );
  return (name) => own.get(name) ?? common;
}

function subgraphSettings(file: RouterConfig, name: string, workers: number) {
  const { traffic_shaping: traffic, limits, headers, meridian, circuit_breaker: circuits } = file;
  const { merge_fetches } = meridian;
  const signatures = file.authentication?.subgraph;
  const ownTraffic = traffic.subgraphs.get(name);
  const rate = ownTraffic?.global_rate_limit ?? traffic.all.global_rate_limit;
  const compression = ownTraffic?.compression ?? traffic.all.compression;
  const http2 = ownTraffic?.experimental_http2 ?? traffic.all.experimental_http2;
  return {
    /** Instead of the URL in the supergraph. */
    url: file.override_subgraph_url.get(name),
    timeoutMs: ownTraffic?.timeout ?? traffic.all.timeout,
    maxResponseBytes:
      limits.subgraph.subgraphs.get(name)?.http_max_response_size ??
      limits.subgraph.all.http_max_response_size,
    /** True when equal queries in flight are deduplicated. */
    deduplicatesQueries: ownTraffic?.deduplicate_query ?? traffic.all.deduplicate_query,
    /** True when the entity fetches of a round are one request. */
    mergesFetches: merge_fetches.subgraphs.get(name) ?? merge_fetches.all,
    /** True when it gets the hashes of operations (APQ), and texts only where it does not know them. */
    sendsHashes: file.apq.subgraph.subgraphs.get(name)?.enabled ?? file.apq.subgraph.all.enabled,
    /** Over TLS, where the subgraph offers it. */
    isHttp2Allowed: http2 !== 'disable',
    /** Also without TLS. */
    isHttp2Required: http2 === 'http2only',
    /** Of requests; undefined where they are sent as they are. */
    compression: compression === 'identity' ? undefined : compression,
    /** Undefined where requests are not signed. */
    signature: (signatures?.subgraphs.get(name) ?? signatures?.all)?.aws_sig_v4,
    headerRules: [
      ...headers.all.request.operations,
      ...(headers.subgraphs.get(name)?.request.operations ?? []),
    ],
    /** Undefined where its requests are sent however many have failed. */
    circuit: circuits && (circuits.subgraphs.get(name) ?? circuits.all),
    /** Undefined where a failed request is not sent again. */
    retry: ownTraffic?.experimental_retry ?? traffic.all.experimental_retry,
    /** Of the requests that this process sends it. */
    rateLimit: rate && {
      capacity: Math.max(1, Math.floor(rate.capacity / workers)),
      intervalMs: rate.interval,
    },
    /** For the header fields of its responses that clients get. */
    responseHeaderRules: [
      ...meridian.headers.all.response,
      ...(meridian.headers.subgraphs.get(name)?.response ?? []),
    ],
  };
}

function namedSubgraphs(file: RouterConfig): readonly string[] {
  const sections = [
    file.traffic_shaping.subgraphs,
    file.limits.subgraph.subgraphs,
    file.headers.subgraphs,
    file.meridian.headers.subgraphs,
    file.override_subgraph_url,
    file.apq.subgraph.subgraphs,
    file.authentication?.subgraph?.subgraphs ?? new Map<string, unknown>(),
    file.include_subgraph_errors.subgraphs,
    ...(file.circuit_breaker === undefined ? [] : [file.circuit_breaker.subgraphs]),
    file.meridian.merge_fetches.subgraphs,
    file.demand_control.strategy?.static_estimated.subgraph.subgraphs ?? new Map<string, unknown>(),
    file.tls.subgraph.subgraphs,
  ];
  return [...new Set(sections.flatMap((section) => Array.from(section.keys())))].toSorted();
}
