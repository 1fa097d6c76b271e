import { CommandError } from '@meridian/settings/command-line';

import { runRover } from './run-rover.ts';
import type { RoverRun } from './run-rover.ts';

/**
 * Runs `rover persisted-queries generate` over a folder of operations; the text of the manifest, in Apollo's format
 * version 1.
 *
 * @throws {CommandError} with Rover's complaint
 */
export async function generateManifest(folder: string, run: RoverRun): Promise<string> {
  const { exitCode, stdout, stderr } = await runRover(
    ['persisted-queries', 'generate', '--root-dir', folder, '--include', '**/*.graphql'],
    run,
  );
  if (exitCode !== 0) {
    throw new CommandError(`Rover cannot make the manifest: ${stderr.trim()}`);
  }
  return stdout;
}
