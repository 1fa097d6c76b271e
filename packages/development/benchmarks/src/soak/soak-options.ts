import { join, resolve } from 'node:path';

import {
  flagValue,
  integer,
  positiveInteger,
  positiveNumber,
  readArgs,
} from '@meridian/settings/command-line';
import { demoTenantIds } from '@meridian/demo-data';

import { defaultDataRoot } from '@meridian/local-stack';
import { maxClientsOfTenant } from './load/product-pool.ts';

/** The options of `pnpm soak`. */
export type SoakOptions = ReturnType<typeof readSoakOptions>;

export const soakHelp = `Usage: pnpm soak [flags]

Runs the whole stack on free ports under mixed load of two tenants, and checks every
response: reads by GET and POST, writes that are read back, orders and accounts over
REST, and requests that must be rejected. Meanwhile subgraphs are killed, stopped and
suspended, files of the gateway are replaced by others and by invalid ones, and the
gateway restarts once. Writes soak.txt into the folder of the data.

  --minutes <n>     how long (2); half an hour says more about memory. Each kind of
                    event happens once at least
  --clients <n>     how many clients send requests at a time (16)
  --rate <n>        how many requests they send a second, at most (100)
  --data <folder>   where the stack keeps its data (.data/soak); it begins anew
  --help            print this

docs/soak.md says what is checked, and when a run passes.

Exit code: 0 when it passes, 1 when it does not, 2 for a wrong call.
`;

/** Each client has its own product. */
const maxClients = demoTenantIds.length * maxClientsOfTenant;

/**
 * Reads the flags of `pnpm soak`.
 *
 * @throws {UsageError} for one that it cannot take
 */
export function readSoakOptions(args: readonly string[]) {
  const { flags } = readArgs(args, {
    minutes: { type: 'string', default: '2' },
    clients: { type: 'string', default: '16' },
    rate: { type: 'string', default: '100' },
    data: { type: 'string', default: join(defaultDataRoot, 'soak') },
  });
  return {
    minutes: flagValue('--minutes', flags.minutes, positiveNumber),
    /** The number of clients, each of which sends requests one after another. */
    clients: flagValue('--clients', flags.clients, integer({ minimum: 1, maximum: maxClients })),
    /** The maximum of requests per second of all clients together. */
    rate: flagValue('--rate', flags.rate, positiveInteger),
    /** An absolute path. */
    dataRoot: resolve(flags.data),
  };
}
