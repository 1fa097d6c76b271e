import { CommandError } from '../command-error.ts';
import type { Composition } from '../composition.ts';
import { parseCompositionOutput, type CompositionOutput } from './composition-output.ts';
import { runRover, type RoverRun } from './run-rover.ts';

/**
 * Runs `rover supergraph compose` over a supergraph.yaml, with the plugin that the run's home holds. Throws a `CommandError` when
 * something around the schemas is wrong, such as a file that is missing.
 */
export async function composeWithRover(configFile: string, run: RoverRun): Promise<Composition> {
  const { stdout, stderr } = await runRover(
    ['supergraph', 'compose', '--config', configFile, '--skip-update', '--format', 'json'],
    run,
  );

  let output: CompositionOutput;
  try {
    output = parseCompositionOutput(stdout);
  } catch {
    throw new CommandError(`Rover cannot compose ${configFile}: ${stderr.trim()}`);
  }
  if ('complaint' in output) {
    throw new CommandError(`Rover cannot compose ${configFile}: ${output.complaint.trim()}`);
  }
  return output;
}
