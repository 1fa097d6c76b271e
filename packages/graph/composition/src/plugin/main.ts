// The program that Rover runs in place of its own composition plugin: `supergraph-v<version> compose <file>`. It writes
// one JSON document to standard output. Exit code: 0 with a supergraph, 1 with errors, 2 for a wrong call.
import { readFileSync } from 'node:fs';

import { isRecord } from '@meridian/settings/values';
import { parse } from 'yaml';

import { composeSupergraph } from '../compose-supergraph.ts';
import type { SubgraphSchema } from '../compose-supergraph.ts';
import type { Composition, CompositionIssue } from '../composition.ts';

const [command, configFile, ...rest] = process.argv.slice(2);

if (command !== 'compose' || configFile === undefined || rest.length > 0) {
  process.stderr.write('usage: compose <resolved supergraph.yaml>\n');
  process.exitCode = 2;
} else {
  const result = compose(configFile);
  process.stdout.write(JSON.stringify(result));
  process.exitCode = 'Ok' in result ? 0 : 1;
}

function compose(file: string): BuildResult {
  let subgraphs: SubgraphSchema[];
  try {
    subgraphs = parseResolvedConfig(readFileSync(file, 'utf8'));
  } catch (error) {
    return configurationError(error instanceof Error ? error.message : String(error));
  }
  return buildResultOf(composeSupergraph(subgraphs));
}

/**
 * Reads the file that Rover passes to its plugin: a supergraph.yaml that contains the text of every schema.
 *
 * @throws {TypeError} when something is missing
 */
function parseResolvedConfig(yaml: string): SubgraphSchema[] {
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

/** The output of a composition plugin for Rover (`apollo-federation-types`, `BuildResult`). */
type BuildResult =
  | { readonly Ok: { readonly supergraphSdl: string; readonly hints: readonly BuildHint[] } }
  | { readonly Err: { readonly build_errors: readonly BuildError[] } };

interface BuildHint extends Pick<CompositionIssue, 'code' | 'message'> {
  readonly nodes: CompositionIssue['locations'];
}

interface BuildError extends BuildHint {
  /** `config` for a fault that prevents composition. */
  readonly type: 'composition' | 'config';
}

/** Converts a composition to the format that Rover expects of its plugin. */
function buildResultOf({ supergraphSdl, hints, errors }: Composition): BuildResult {
  return errors === undefined
    ? { Ok: { supergraphSdl, hints: hints.map(hintOf) } }
    : { Err: { build_errors: errors.map((error) => ({ type: 'composition', ...hintOf(error) })) } };
}

/** The result for a configuration that the plugin cannot compose at all. */
function configurationError(message: string): BuildResult {
  return { Err: { build_errors: [{ type: 'config', code: 'INVALID_CONFIGURATION', message, nodes: [] }] } };
}

function hintOf({ code, message, locations }: CompositionIssue): BuildHint {
  return { code, message, nodes: locations };
}
