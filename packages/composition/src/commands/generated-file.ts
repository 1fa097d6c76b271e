import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { CommandError } from '@meridian/command-line';

/** A file in the repository that a command writes. */
export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}

/** Writes the file, unless it already holds the text; says which. A reader never sees half of it. */
export function writeGenerated({ path, text }: GeneratedFile): 'written' | 'unchanged' {
  if (readIfThere(path) === text) {
    return 'unchanged';
  }
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, path);
  return 'written';
}

/** Throws a `CommandError` when the file does not hold the text; it shows the first difference and names the command that mends it. */
export function assertCurrent({ path, text }: GeneratedFile, command: string): void {
  const found = readIfThere(path);
  if (found === undefined) {
    throw new CommandError(`${path} is missing. Run \`${command}\` and commit it.`);
  }
  if (found !== text) {
    throw new CommandError(
      `${path} is stale. Run \`${command}\` and commit it.\n${firstDifference(found, text)}`,
    );
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}

function firstDifference(found: string, expected: string): string {
  const foundLines = found.split('\n');
  const expectedLines = expected.split('\n');
  const index = expectedLines.findIndex((line, at) => line !== foundLines[at]);
  // Without one, the file is what is expected and then some more.
  const at = index === -1 ? expectedLines.length : index;
  return [
    `  line ${at + 1}`,
    `  - ${foundLines[at] ?? '(end of file)'}`,
    `  + ${expectedLines[at] ?? '(end of file)'}`,
  ].join('\n');
}
