import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The program that Rover runs for a composition. */
const program = fileURLToPath(new URL('../plugin/main.ts', import.meta.url));

/**
 * Installs this repository's plugin where Rover looks for one: a script that runs it with the current Node. The Node on
 * the PATH can be too old to run TypeScript.
 */
export function installOwnPlugin(home: string, version: string): void {
  const file = pluginFile(home, version);
  const script = `#!/bin/sh\nexec ${shellQuoted(process.execPath)} ${shellQuoted(program)} "$@"\n`;
  mkdirSync(dirname(file), { recursive: true });
  // Renamed into place, so that a concurrent Rover never starts half a script.
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, script, { mode: 0o755 });
  renameSync(unfinished, file);
}

/** The file below its home that Rover starts to compose at a version of Federation. */
export function pluginFile(home: string, version: string): string {
  return join(home, '.rover', 'bin', `supergraph-v${version}`);
}

function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
