import type { RequestHead } from '@meridian/http';
import { targetOf } from '@meridian/http';

import type { GraphRule } from '../config/graph-rules.ts';

/** The graphs of some hosts and a path. */
export interface GraphsOfPlace<Graph> {
  /** By the values of a claim, in the order of the file. */
  readonly byClaim: readonly GraphOfClaim<Graph>[];
  /** For all other callers; absent where there is none. */
  readonly forOthers: Graph | undefined;
}

interface GraphOfClaim<Graph> {
  readonly claim: NonNullable<GraphRule['claim']>;
  readonly graph: Graph;
}

/** Finds the graphs that a request may be for, the most specific place first: its host goes before its path. */
export type FindGraphs<Graph> = (request: RequestHead) => readonly GraphsOfPlace<Graph>[];

/** RFC 9728 §3.1: the metadata of a resource, such as an endpoint for MCP, are at its path after such a beginning. */
const wellKnown = /^\/\.well-known\/[\w-]+(?=\/)/u;

/** No host or path has this name. */
const any = '';

export function createGraphTable<Graph>(
  rules: readonly GraphRule[],
  graphOf: (name: string) => Graph,
): FindGraphs<Graph> {
  const places = new Map<string, PlacesOfHost<Graph>>();
  for (const { name, path = any, hosts = [any], claim } of rules) {
    const graph = graphOf(name);
    for (const host of hosts) {
      const paths = places.get(host) ?? new Map<string, GraphsOfPlace<Graph>>();
      places.set(host, paths);
      const { byClaim, forOthers } = paths.get(path) ?? { byClaim: [], forOthers: undefined };
      paths.set(
        path,
        claim === undefined
          ? { byClaim, forOthers: graph }
          : { byClaim: [...byClaim, { claim, graph }], forOthers },
      );
    }
  }
  return (request) => {
    const path = targetOf(request).path.replace(wellKnown, '');
    const hosts = [places.get(hostOf(request)), places.get(any)];
    return hosts
      .flatMap((paths) => (paths === undefined ? [] : [placeAt(path, paths), paths.get(any)]))
      .filter((found) => found !== undefined);
  };
}

type PlacesOfHost<Graph> = Map<string, GraphsOfPlace<Graph>>;

/** The place of a path, or of the nearest one that it is below: its graph responds that the endpoint is above. */
function placeAt<Graph>(path: string, paths: PlacesOfHost<Graph>): GraphsOfPlace<Graph> | undefined {
  const found = paths.get(path);
  if (found !== undefined) {
    return found;
  }
  let nearest = any;
  for (const above of paths.keys()) {
    if (above.length > nearest.length && path.startsWith(`${above}/`)) {
      nearest = above;
    }
  }
  return nearest === any ? undefined : paths.get(nearest);
}

/** RFC 9110 §7.2: the server has checked that it is one host, and that a target with an authority names the same. */
function hostOf({ headers: { host = any } }: RequestHead): string {
  return host.replace(/:\d*$/u, '').replace(/\.$/u, '').toLowerCase();
}
