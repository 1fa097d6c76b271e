import { readFileSync } from 'node:fs';

import { CommandError } from '@meridian/settings/command-line';
import { isRecord } from '@meridian/settings/values';

import type { Composition, CompositionIssue, SchemaLocation, SchemaPoint } from '../composition.ts';
import { locateIssues } from '../locate-issues.ts';
import type { SchemaFiles } from '../supergraph-config.ts';
import { runRover } from './run-rover.ts';
import type { RoverRun } from './run-rover.ts';

/**
 * Runs `rover supergraph compose` over a supergraph.yaml, with the plugin that the run's home holds.
 *
 * @throws {CommandError} for a fault outside the schemas, such as a missing file
 */
export async function composeWithRover(
  configFile: string,
  schemaFiles: SchemaFiles,
  run: RoverRun,
): Promise<Composition> {
  const { stdout, stderr } = await runRover(
    ['supergraph', 'compose', '--config', configFile, '--skip-update', '--format', 'json'],
    run,
  );

  let output: CompositionOutput;
  try {
    output = parseCompositionOutput(stdout, (sdl) => subgraphOf(sdl, schemaFiles));
  } catch (error) {
    if (!(error instanceof SyntaxError)) {
      throw error;
    }
    throw new CommandError(`Rover cannot compose ${configFile}: ${stderr.trim()}`, { cause: error });
  }
  if ('complaint' in output) {
    throw new CommandError(`Rover cannot compose ${configFile}: ${output.complaint.trim()}`);
  }
  return output.errors === undefined
    ? output
    : { errors: locateIssues(output.errors, new Map(Array.from(schemaFiles, readSchema))) };
}

function readSchema([name, file]: readonly [name: string, file: string]): readonly [string, string] {
  return [name, readFileSync(file, 'utf8')];
}

/** Rover passes schemas through YAML, which loses white space at their ends. */
function subgraphOf(sdl: string, schemaFiles: SchemaFiles): string | undefined {
  const isThis = (file: string) => readFileSync(file, 'utf8').trim() === sdl.trim();
  return [...schemaFiles].find(([, file]) => isThis(file))?.[0];
}

/** Rover's composition result, or its error, such as a missing schema file. */
type CompositionOutput = Composition | { readonly complaint: string };

/** Finds the subgraph whose schema is a text. */
type SubgraphOf = (sdl: string) => string | undefined;

/**
 * Parses the output of `rover supergraph compose --format json`.
 *
 * @throws {SyntaxError} when it is not JSON
 */
function parseCompositionOutput(stdout: string, subgraphOf: SubgraphOf): CompositionOutput {
  const output: unknown = JSON.parse(stdout);
  const data = memberOf(output, 'data');
  const supergraphSdl = memberOf(data, 'core_schema');
  if (typeof supergraphSdl === 'string') {
    return { supergraphSdl, hints: issuesIn(memberOf(data, 'hints'), subgraphOf) };
  }

  const error = memberOf(output, 'error');
  const errors = issuesIn(memberOf(memberOf(error, 'details'), 'build_errors'), subgraphOf);
  return errors.length > 0 ? { errors } : { complaint: textIn(error, 'message') ?? stdout };
}

function issuesIn(value: unknown, subgraphOf: SubgraphOf): CompositionIssue[] {
  return arrayOf(value).map((issue) => ({
    code: textIn(issue, 'code') ?? 'UNKNOWN',
    message: textIn(issue, 'message') ?? '',
    locations: arrayOf(memberOf(issue, 'nodes')).flatMap((node) => locationsIn(node, subgraphOf)),
  }));
}

/** At most one location: every part of Rover's locations is optional. */
function locationsIn(node: unknown, subgraphOf: SubgraphOf): SchemaLocation[] {
  // Apollo's plugin often omits the subgraph's name, but never the text of its schema.
  const subgraph = textIn(node, 'subgraph') ?? subgraphOf(textIn(node, 'source') ?? '');
  const start = pointIn(memberOf(node, 'start'));
  const end = pointIn(memberOf(node, 'end')) ?? start;
  return subgraph !== undefined && start !== undefined && end !== undefined ? [{ subgraph, start, end }] : [];
}

function pointIn(value: unknown): SchemaPoint | undefined {
  const line = memberOf(value, 'line');
  const column = memberOf(value, 'column');
  return typeof line === 'number' && typeof column === 'number' ? { line, column } : undefined;
}

function textIn(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name);
  return typeof member === 'string' ? member : undefined;
}

function memberOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
