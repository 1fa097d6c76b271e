import { isRecord } from '@meridian/settings/values';
import { parse } from 'yaml';

import type { SubgraphSchema } from '../compose-supergraph.ts';

/**
 * Reads the file that Rover passes to its plugin: a supergraph.yaml that contains the text of every schema.
 *
 * @throws {TypeError} when something is missing
 */
export function parseResolvedConfig(yaml: string): SubgraphSchema[] {
  const config: unknown = parse(yaml);
  const subgraphs =
    isRecord(config) && isRecord(config['subgraphs']) ? Object.entries(config['subgraphs']) : [];
  if (subgraphs.length === 0) {
    // Rover passes this for a supergraph.yaml that is missing or that it does not understand.
    throw new TypeError('the resolved supergraph configuration has no subgraphs');
  }
  return subgraphs.map(([name, subgraph]) => resolvedSubgraph(name, subgraph));
}

function resolvedSubgraph(name: string, subgraph: unknown): SubgraphSchema {
  const { schema, routing_url: routingUrl } = isRecord(subgraph) ? subgraph : {};
  const sdl = isRecord(schema) ? schema['sdl'] : undefined;
  if (typeof sdl !== 'string') {
    throw new TypeError(`subgraph "${name}" of the resolved supergraph configuration has no schema text`);
  }
  return { name, routingUrl: typeof routingUrl === 'string' ? routingUrl : '', sdl };
}
