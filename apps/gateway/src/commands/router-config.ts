// `pnpm router-config`: whether the gateway starts with a Router configuration, and the pages about its keys.
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';

import { UsageError, readArgs, runCommand } from '@meridian/command-line';
import { EnvironmentError } from '@meridian/config';
import type { ConfigFile } from '@meridian/router-config';
import { differencesPage, referencePage } from '@meridian/router-config';

import { checkFile } from '../check-config/check-file.ts';
import { printCheck } from '../check-config/print-check.ts';

const help = `Usage: pnpm router-config check <file> [--development] [--json]
       pnpm router-config reference [--check]

check      says of each key of a Router configuration what the gateway makes of it: honoured; honoured, where Apollo
           Router takes a GraphOS plan for it; accepted without effect, and why; not supported, and what to do instead;
           unknown. Then what is otherwise than in Apollo Router with this file, and whether the gateway starts with it:
           it runs the checks of the start, with the variables that are set here; those that are not set it names.
           --development checks for NODE_ENV=development in place of production.
           --json prints the same as JSON; docs/differences-from-apollo-router.md describes it.
reference  writes docs/router-yaml.md and docs/differences-from-apollo-router.md; with --check it writes nothing, and
           says which of them are out of date.

Exit code: 0 when the gateway starts with the file (or the pages are up to date), 1 when not, 2 for a wrong call.
`;

const pages = {
  'docs/router-yaml.md': referencePage,
  'docs/differences-from-apollo-router.md': differencesPage,
};

/** One use of the command. Returns the exit code. */
type Call = () => number;

await runCommand({
  name: 'pnpm router-config',
  help,
  read: readCall,
  run(call) {
    process.exitCode = call();
  },
  lineFor: (error) => (error instanceof EnvironmentError ? error.message : undefined),
});

function readCall([command, ...args]: readonly string[]): Call {
  switch (command) {
    case 'check': {
      const options = {
        json: { type: 'boolean', default: false },
        development: { type: 'boolean', default: false },
      } as const;
      const { flags, others } = readArgs(args, options, ['<file>']);
      const [name = ''] = others;
      const file = { name, text: readFile(name) };
      return () => check(file, flags);
    }
    case 'reference': {
      const { flags } = readArgs(args, { check: { type: 'boolean', default: false } });
      return flags.check ? comparePages : writePages;
    }
    case undefined:
      throw new UsageError('check or reference is missing');
    default: {
      const what = command.startsWith('-') ? 'Unknown option' : 'Unexpected argument';
      throw new UsageError(`${what} '${command}'`);
    }
  }
}

function readFile(name: string): string {
  try {
    return readFileSync(name, 'utf8');
  } catch (error) {
    throw new UsageError(`${name} is not there or not readable`, { cause: error });
  }
}

function check(file: ConfigFile, flags: { readonly json: boolean; readonly development: boolean }): number {
  const result = checkFile(file, {
    env: process.env,
    readFile: (path) => readFileSync(path, 'utf8'),
    mode: flags.development ? 'development' : 'production',
  });
  process.stdout.write(`${flags.json ? JSON.stringify(result, null, 2) : printCheck(result)}\n`);
  return result.starts ? 0 : 1;
}

function writePages(): number {
  for (const [page, write] of Object.entries(pages)) {
    writeFileSync(placeOf(page), write());
  }
  return 0;
}

function comparePages(): number {
  const stale = Object.entries(pages).filter(
    ([page, write]) => readFileSync(placeOf(page), 'utf8') !== write(),
  );
  process.stdout.write(
    stale.length === 0
      ? `${Object.keys(pages).join(' and ')} are up to date\n`
      : `out of date: ${stale.map(([page]) => page).join(', ')}: pnpm router-config reference\n`,
  );
  return stale.length === 0 ? 0 : 1;
}

function placeOf(page: string): URL {
  return new URL(`../../../../${page}`, import.meta.url);
}
