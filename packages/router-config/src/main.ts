// `pnpm router-config`: what becomes of a Router configuration here, and the reference page.
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { CallError, readWords, runCommand } from '@meridian/command-line';

import { checkConfig } from './check/check-config.ts';
import { isUsable, printCheck } from './check/print-check.ts';
import { referencePage } from './reference/reference-page.ts';

const help = `Usage: pnpm router-config check <file> [--json]
       pnpm router-config reference [--check]

check      says of each key of a Router configuration what the gateway makes of it: honoured; honoured, where Apollo
           Router takes a GraphOS plan for it; accepted without effect, and why; not supported, and what to do instead;
           unknown. Values are checked too, but for those of variables that are not set.
           --json prints the same as JSON.
reference  writes docs/router-yaml.md; with --check it writes nothing, and says whether the page is up to date.

Exit code: 0 when the gateway starts with the file (or the page is up to date), 1 when not, 2 for a wrong call.
`;

const page = fileURLToPath(new URL('../../../docs/router-yaml.md', import.meta.url));

/** What the command was called for: each does one thing, and gives the exit code. */
type Call = () => number;

await runCommand({
  name: 'pnpm router-config',
  help,
  read: readCall,
  run(call) {
    process.exitCode = call();
  },
});

function readCall([command, ...words]: readonly string[]): Call {
  switch (command) {
    case 'check': {
      const { flags, others } = readWords(words, { json: { type: 'boolean', default: false } }, ['<file>']);
      const [name = ''] = others;
      const text = readFile(name);
      return () => check({ name, text }, flags.json);
    }
    case 'reference': {
      const { flags } = readWords(words, { check: { type: 'boolean', default: false } });
      return flags.check ? compareReference : writeReference;
    }
    case undefined:
      throw new CallError('check or reference is missing');
    default: {
      const what = command.startsWith('-') ? 'Unknown option' : 'Unexpected argument';
      throw new CallError(`${what} '${command}'`);
    }
  }
}

function readFile(name: string): string {
  try {
    return readFileSync(name, 'utf8');
  } catch (error) {
    throw new CallError(`${name} is not there or not readable`, { cause: error });
  }
}

function check(file: { readonly name: string; readonly text: string }, asJson: boolean): number {
  const result = checkConfig(file, {
    env: process.env,
    readFile: (path) => readFileSync(path, 'utf8'),
  });
  process.stdout.write(`${asJson ? JSON.stringify(result, null, 2) : printCheck(file.name, result)}\n`);
  return isUsable(result) ? 0 : 1;
}

function writeReference(): number {
  writeFileSync(page, referencePage());
  return 0;
}

function compareReference(): number {
  const isCurrent = readFileSync(page, 'utf8') === referencePage();
  process.stdout.write(
    isCurrent
      ? 'docs/router-yaml.md is up to date\n'
      : 'docs/router-yaml.md is not: pnpm router-config reference\n',
  );
  return isCurrent ? 0 : 1;
}
