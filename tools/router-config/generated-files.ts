// The files about the keys of router.yaml that are written by program, formatted as `pnpm format` does.
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';

import { generatedFiles } from '@meridian/router-config';
import { format } from 'oxfmt';

/** As in .oxfmtrc.json. */
const printWidth = 110;

/** Writes the files. */
export async function writeFiles(): Promise<void> {
  for (const [path, text] of await currentFiles()) {
    writeFileSync(urlOf(path), text);
  }
}

/** Says which files are out of date; then the exit code is 1. */
export async function compareFiles(): Promise<void> {
  const files = await currentFiles();
  const stale = files.filter(([path, text]) => readFileSync(urlOf(path), 'utf8') !== text);
  process.stdout.write(
    stale.length === 0
      ? `${files.map(([path]) => path).join(', ')} are up to date\n`
      : `out of date: ${stale.map(([path]) => path).join(', ')}: pnpm router-config reference\n`,
  );
  process.exitCode = stale.length === 0 ? 0 : 1;
}

function currentFiles(): Promise<(readonly [path: string, text: string])[]> {
  return Promise.all(
    Object.entries(generatedFiles).map(async ([path, write]) => {
      const text = write();
      return [path, path.endsWith('.json') ? (await format(path, text, { printWidth })).code : text] as const;
    }),
  );
}

function urlOf(path: string): URL {
  return new URL(`../../${path}`, import.meta.url);
}
