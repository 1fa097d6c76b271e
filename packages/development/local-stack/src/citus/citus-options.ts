import { join, resolve } from 'node:path';

import { flagValue, integer, readArgs, UsageError } from '@meridian/settings/command-line';
import { citusVariable } from '@meridian/postgres/citus';

import { defaultDataRoot } from '../data-directory.ts';

/** The options of `pnpm citus`. */
export type CitusOptions = ReturnType<typeof readCitusOptions>;

export const citusHelp = `Usage: pnpm citus start|stop [flags]

Starts a Citus cluster on this machine, for development and tests: a coordinator
and workers on 127.0.0.1, with the services' databases on every node. It says how
to migrate them, and stays until Ctrl-C or pnpm citus stop.

  --bin <folder>  the programs of a PostgreSQL with Citus (postgres, initdb);
                  by default ${citusVariable}, else where packages install them
  --dir <folder>  the cluster's data; .data/citus by default
  --port <n>      of the coordinator; the workers have the following ones; 5600 by default
  --workers <n>   2 by default
  --help          print this
`;

/**
 * Reads the command line of `pnpm citus`.
 *
 * @throws {UsageError} when the command cannot take it
 */
export function readCitusOptions(args: readonly string[], environment: NodeJS.ProcessEnv) {
  const { flags, others } = readArgs(
    args,
    {
      bin: { type: 'string' },
      dir: { type: 'string', default: join(defaultDataRoot, 'citus') },
      port: { type: 'string', default: '5600' },
      workers: { type: 'string', default: '2' },
    },
    ['start|stop'],
  );
  const [action] = others;
  if (action !== 'start' && action !== 'stop') {
    throw new UsageError(`${JSON.stringify(action)} is neither start nor stop`);
  }
  return {
    action,
    /** The folder of the programs; undefined where packages install them. */
    bin: flags.bin ?? environment[citusVariable],
    /** The folder of the cluster's data. */
    directory: resolve(flags.dir),
    /** The coordinator's port; the workers have the following ones. */
    port: flagValue('--port', flags.port, integer({ minimum: 1, maximum: 65_000 })),
    workers: flagValue('--workers', flags.workers, integer({ minimum: 1, maximum: 100 })),
  };
}
