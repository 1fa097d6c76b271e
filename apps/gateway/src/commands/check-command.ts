import process from 'node:process';
import { readFileSync } from 'node:fs';

import type { ConfigFile } from '@meridian/router-config';
import type { Command, Flags } from '@meridian/settings/command-line';
import { readArgs } from '@meridian/settings/command-line';

import { checkFile } from '../check-config/check-file.ts';
import { printCheck } from '../check-config/print-check.ts';
import { fixableErrorMessage } from './fixable-error-message.ts';
import { readFile } from './read-file.ts';

const options = {
  json: { type: 'boolean', default: false },
  development: { type: 'boolean', default: false },
  'ignore-unsupported': { type: 'boolean', default: false },
} as const;

/** A file to check, and how. */
export interface CheckCall {
  readonly file: ConfigFile;
  readonly flags: Flags<typeof options>;
}

/** The part of the help that says what the command prints. */
export const checkDescription = `Says how the gateway reads each key of a Router configuration: honoured; honoured,
where Apollo Router needs a GraphOS plan; accepted without effect, and why; not
supported, and what to do instead; unknown. Then it lists the differences from Apollo
Router with this file, and says whether the gateway starts with it: it runs the checks
of the start with the variables that are set here, and names those that are not.

  --development  check for NODE_ENV=development instead of production
  --ignore-unsupported
                 check as the gateway starts with this flag
  --json         print the same as JSON`;

/** The command that checks a Router configuration. */
export function checkCommand(name: string): Command<CheckCall> {
  return {
    name,
    help: `Usage: ${name} <file> [--development] [--ignore-unsupported] [--json]

${checkDescription}
  --help         print this

Exit code: 0 when the gateway starts with the file, 1 when not, 2 for a wrong call.
`,
    read: readCheckCall,
    run: runCheck,
    lineFor: fixableErrorMessage,
  };
}

/**
 * Reads the arguments of the command.
 *
 * @throws {UsageError} when it cannot take one
 */
export function readCheckCall(args: readonly string[]): CheckCall {
  const {
    flags,
    others: [name = ''],
  } = readArgs(args, options, ['<file>']);
  return { file: { name, text: readFile(name) }, flags };
}

/** Prints how the gateway reads each key of the file. The exit code is 1 when it does not start with it. */
export function runCheck({ file, flags }: CheckCall): void {
  const { json, development, 'ignore-unsupported': ignoresUnsupported } = flags;
  const result = checkFile(file, {
    env: process.env,
    readFile: (path) => readFileSync(path, 'utf8'),
    mode: development ? 'development' : 'production',
    ignoresUnsupported,
  });
  process.stdout.write(`${json ? JSON.stringify(result, null, 2) : printCheck(result)}\n`);
  process.exitCode = result.starts ? 0 : 1;
}
