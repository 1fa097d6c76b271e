import { readFileSync } from 'node:fs';

import { CommandError } from '@meridian/settings/command-line';

import type { Composition } from '../composition.ts';
import { locateIssues } from '../locate-issues.ts';
import type { SchemaFiles } from '../supergraph-config.ts';
import { parseCompositionOutput } from './composition-output.ts';
import type { CompositionOutput } from './composition-output.ts';
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
  const sdlOf = (subgraph: string) => textOf(subgraph, schemaFiles);
  return output.errors === undefined ? output : { errors: locateIssues(output.errors, sdlOf) };
}

function textOf(subgraph: string, schemaFiles: SchemaFiles): string | undefined {
  const file = schemaFiles.get(subgraph);
  return file === undefined ? undefined : readFileSync(file, 'utf8');
}

/** Rover passes schemas through YAML, which loses white space at their ends. */
function subgraphOf(sdl: string, schemaFiles: SchemaFiles): string | undefined {
  const isThis = (file: string) => readFileSync(file, 'utf8').trim() === sdl.trim();
  return [...schemaFiles].find(([, file]) => isThis(file))?.[0];
}
