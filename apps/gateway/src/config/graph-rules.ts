import { isDeepStrictEqual } from 'node:util';

import type { ConfigFile, RouterConfig } from '@meridian/router-config';

import { metricsConfig } from './metrics-config.ts';

/** A graph of several, and the requests that are for it. */
export interface GraphRule {
  readonly name: string;
  /** Undefined for every path that no other graph of its hosts has. */
  readonly path: string | undefined;
  /** In lower case, without a port or the dot of a root; undefined for any. */
  readonly hosts: readonly string[] | undefined;
  /** Of the callers that it is for; undefined for all. */
  readonly claim: { readonly name: string; readonly values: readonly string[] } | undefined;
  /** The path of its own file. */
  readonly config: string | undefined;
  readonly supergraph: string | undefined;
}

/** `meridian.graphs`. */
export function graphRules({ meridian }: RouterConfig): readonly GraphRule[] {
  return Array.from(meridian.graphs, ([name, { hosts, ...graph }]) => ({
    name,
    ...graph,
    hosts: hosts?.map((host) => host.toLowerCase().replace(/\.$/u, '')),
  }));
}

/** The name of a graph is a label of metrics, and a part of keys in Redis. */
const graphName = /^[\w-]{1,64}$/u;

/** Faults of `meridian.graphs`, as sentences that begin with the path of a key. */
export function graphsFaults(file: RouterConfig, hasTokens: boolean): readonly string[] {
  return graphRules(file).flatMap((rule, index, rules) => {
    const { name, claim } = rule;
    const at = `meridian.graphs.${name}`;
    const faults: string[] = [];
    if (!graphName.test(name)) {
      faults.push(`${at}: the name of a graph has letters, digits, _ and -, and at most 64 of them`);
    }
    const rival = rules.slice(0, index).find((other) => overlap(rule, other));
    if (rival !== undefined) {
      faults.push(
        `${at}: is for the same requests as meridian.graphs.${rival.name}; give one of them another path, other hosts or other values of one claim`,
      );
    }
    if (claim !== undefined && !hasTokens) {
      faults.push(`${at}.claim: needs authentication.router.jwt, which verifies the tokens that have it`);
    }
    return faults;
  });
}

/** True where nothing says which of two graphs a request is for. */
function overlap(one: GraphRule, other: GraphRule): boolean {
  const haveSameHost =
    one.hosts === undefined || other.hosts === undefined
      ? one.hosts === other.hosts
      : one.hosts.some((host) => other.hosts?.includes(host));
  if (!haveSameHost || one.path !== other.path) {
    return false;
  }
  if (one.claim === undefined || other.claim === undefined) {
    return one.claim === other.claim;
  }
  // A token may have two claims, each with a value that leads to one of them.
  const { name, values } = other.claim;
  return one.claim.name !== name || one.claim.values.some((value) => values.includes(value));
}

/** The last file of a graph's configuration: what follows from its rule. */
export function graphOverlay({ name, path }: GraphRule): ConfigFile {
  const resource = { common: { resource: { 'meridian.graph': name } } };
  return {
    name: `meridian.graphs.${name}`,
    text: JSON.stringify({
      ...(path !== undefined && { supergraph: { path } }),
      telemetry: { exporters: { tracing: resource, metrics: resource } },
    }),
  };
}

/** The settings of which the process has one for all graphs, by their keys. */
function settingsOfProcess(file: RouterConfig): ReadonlyMap<string, unknown> {
  const { supergraph, limits, telemetry, meridian } = file;
  return new Map<string, unknown>([
    ['meridian.graphs', meridian.graphs],
    ['supergraph.listen', supergraph.listen],
    ['supergraph.connection_shutdown_timeout', supergraph.connection_shutdown_timeout],
    ['health_check', file.health_check],
    ['tls.supergraph', file.tls.supergraph],
    ['server.http', file.server.http],
    ['limits.http1_max_request_headers', limits.http1_max_request_headers],
    ['limits.http1_max_request_buf_size', limits.http1_max_request_buf_size],
    ['limits.http2_max_headers_list_bytes', limits.http2_max_headers_list_bytes],
    ['telemetry.exporters.metrics.prometheus', telemetry.exporters.metrics.prometheus],
    ['telemetry.exporters.metrics.common', metricsConfig(file).metricViews],
  ]);
}

/** Faults of a graph's own file: it sets what the process has once. */
export function graphFaults(
  { name, config = '' }: GraphRule,
  own: RouterConfig,
  common: RouterConfig,
): readonly string[] {
  const ofProcess = settingsOfProcess(common);
  return Array.from(settingsOfProcess(own))
    .filter(([key, value]) => !isDeepStrictEqual(value, ofProcess.get(key)))
    .map(
      ([key]) =>
        `meridian.graphs.${name}.config: ${config} sets ${key}, which the process has once for all graphs; set it in router.yaml`,
    );
}
