import { join, resolve } from 'node:path';

import { defaultDataRoot } from '../data-directory.ts';
import { readFlags } from '../read-flags.ts';
import { StackError } from '../stack-error.ts';

/** The run that `pnpm soak` was asked for. */
export interface SoakOptions {
  readonly help: boolean;
  readonly minutes: number;
  /** How many clients send requests, one after the other. */
  readonly clients: number;
  /** An absolute path. */
  readonly dataRoot: string;
}

export const soakHelp = `Usage: pnpm soak [flags]

Runs the whole stack on free ports under mixed load: queries, mutations, requests
that are refused, clients that hang up; and every 20 s a subgraph is killed and
comes back. Watches the answers, and the gateway's memory, sockets and listeners,
and draws what it held as soak.svg, in the folder of the data.

  --minutes <n>     how long (2); half an hour says more about memory
  --clients <n>     how many clients send requests at a time (8)
  --data <folder>   where the stack keeps its data (.data/soak); it begins anew
  --help            print this

Exit code: 0 when nothing was wrong, else 1.
`;

/** Reads the flags of `pnpm soak`. Throws a `StackError` which names the one that it cannot take. */
export function readSoakOptions(commandLine: readonly string[]): SoakOptions {
  const flags = readFlags('pnpm soak', commandLine, {
    help: { type: 'boolean', short: 'h', default: false },
    minutes: { type: 'string', default: '2' },
    clients: { type: 'string', default: '8' },
    data: { type: 'string', default: join(defaultDataRoot, 'soak') },
  });
  return {
    help: flags.help,
    minutes: readNumber('--minutes', flags.minutes, /^\d{1,4}(\.\d)?$/),
    clients: readNumber('--clients', flags.clients, /^[1-9]\d{0,2}$/),
    dataRoot: resolve(flags.data),
  };
}

function readNumber(flag: string, text: string, pattern: RegExp): number {
  if (!pattern.test(text) || Number(text) === 0) {
    throw new StackError(`${flag} is ${JSON.stringify(text)}; it takes a number above 0`);
  }
  return Number(text);
}
