import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { CommandError } from '@meridian/settings/command-line';
import { structuredPatch } from 'diff';

/** A file in the repository that a command writes. */
export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}

/** Writes the file, unless it already holds the text, and prints which of the two. A reader never sees half a file. */
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

/**
 * Checks that the file holds the text.
 *
 * @throws {CommandError} with the differences and the command that fixes them
 */
export function assertCurrent({ path, text }: GeneratedFile, command: string): void {
  const found = readIfThere(path);
  if (found === undefined) {
    throw new CommandError(`${path} is missing. Run \`${command}\` and commit it.`);
  }
  if (found !== text) {
    throw new CommandError(
      `${path} is stale. Run \`${command}\` and commit it.\n${differences(found, text)}`,
    );
  }
}

/** The text of a file; undefined where there is none. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}

/** The lines of context around a difference, and the most lines that are shown. The fixing command shows the rest. */
const contextLines = 2;
const shownLines = 60;

function differences(found: string, expected: string): string {
  const { hunks } = structuredPatch('', '', found, expected, undefined, undefined, {
    context: contextLines,
  });
  const lines = hunks.flatMap((hunk) =>
    [`line ${hunk.oldStart}`].concat(hunk.lines.map((line) => `${line.slice(0, 1)} ${line.slice(1)}`)),
  );
  const hidden = lines.length - shownLines;
  const rest = hidden > 0 ? [`and ${hidden} more lines`] : [];
  return [...lines.slice(0, shownLines), ...rest].map((line) => `  ${line}`.trimEnd()).join('\n');
}
