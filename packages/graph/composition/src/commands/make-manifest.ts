import { CommandError, tryGit } from '@meridian/settings/command-line';
import type { ManifestApp } from '@meridian/manifest';

import { operationFaults, readOperations } from '../operations/operation-faults.ts';
import { keepOperations, withApp } from '../operations/keep-operations.ts';
import { findRoverBinary } from '../rover/binary.ts';
import { roverFolder } from '../rover/folder.ts';
import { assertCurrent, readIfThere, writeGenerated } from './generated-file.ts';
import { readClientSchema } from './read-client-schema.ts';
import { runRover } from '../rover/run-rover.ts';
import type { RoverRun } from '../rover/run-rover.ts';

/** The flags of `pnpm manifest`. */
export interface ManifestOptions {
  readonly operations: string;
  readonly supergraph: string;
  readonly output: string;
  readonly check: boolean;
  /** Names or identifiers of operations of the previous manifest that are not kept. */
  readonly retire?: readonly string[] | undefined;
  /** The app that the manifest is of; it is not named in the manifest where it is absent. */
  readonly app?: ManifestApp | undefined;
  /** The git ref whose manifest released clients may use. */
  readonly base: string;
}

/**
 * Writes the manifest of persisted queries with Rover, and keeps the operations that it had. With `check`, compares it
 * with the file instead.
 *
 * @throws {CommandError} when an operation does not fit the supergraph, an entry of `retire` matches none, or the checked
 *   file is not current
 */
export async function makeManifest({
  operations,
  supergraph,
  output,
  check,
  retire = [],
  base,
  app,
}: ManifestOptions): Promise<void> {
  const faults = operationFaults(readOperations(operations), readClientSchema(supergraph));
  if (faults.length > 0) {
    throw new CommandError(
      [`The operations in ${operations} do not fit ${supergraph}`, ...faults].join('\n\n'),
    );
  }

  const binary = findRoverBinary();
  const generated = await generateManifest(operations, {
    binary,
    home: roverFolder,
    environment: process.env,
  });
  const { text, kept, unmatched } = keepOperations(app === undefined ? generated : withApp(generated, app), {
    previous: readIfThere(output),
    released: check ? undefined : tryGit(['show', '--end-of-options', `${base}:./${output}`]),
    retired: retire,
  });
  if (unmatched.length > 0) {
    throw new CommandError(
      unmatched
        .map(
          (entry) =>
            `Cannot retire ${entry}: ${output} has no operation of this name or identifier that is gone from ${operations}`,
        )
        .join('\n'),
    );
  }
  const manifest = { path: output, text };
  if (check) {
    assertCurrent(manifest, 'pnpm manifest');
    process.stdout.write(`${output} is current, says Rover ${binary.version}\n`);
  } else {
    process.stdout.write(`${output}: ${writeGenerated(manifest)}, by Rover ${binary.version}\n`);
    if (kept.length > 0) {
      process.stdout.write(
        `Kept for released clients: ${kept.join(', ')}. Once no client sends them: pnpm manifest --retire <name>\n`,
      );
    }
  }
}

/**
 * Runs `rover persisted-queries generate` over a folder of operations; the text of the manifest, in Apollo's format
 * version 1.
 *
 * @throws {CommandError} with Rover's complaint
 */
async function generateManifest(folder: string, run: RoverRun): Promise<string> {
  const { exitCode, stdout, stderr } = await runRover(
    ['persisted-queries', 'generate', '--root-dir', folder, '--include', '**/*.graphql'],
    run,
  );
  if (exitCode !== 0) {
    throw new CommandError(`Rover cannot make the manifest: ${stderr.trim()}`);
  }
  return stdout;
}
