import { UsageError, readArgs } from '@meridian/settings/command-line';

import { readExternalSubgraphs, readSubgraphNames } from '../apps/services.ts';
import { stackFlags, stackFlagsHelp, startOptionsOf } from './start-options.ts';
import type { StartOptions } from './start-options.ts';

/** The text of `--help`. */
export const devHelp = (): string => `Usage: pnpm dev --only <subgraph> [flags]

Starts Meridian as \`pnpm start\` does, and follows the files of a subgraph while
the others run as they are. A change of apps/<subgraph> is started beside the one
that runs, and replaces it when it is ready; a change of its schema is composed,
and the gateway takes the new supergraph. What does not start, or not compose,
is shown with its place, and the old one keeps serving.

  --only <subgraph>  ${readSubgraphNames().join(', ')};
                     may be given several times
${stackFlagsHelp}`;

/**
 * Reads the flags and the environment of `pnpm dev`.
 *
 * @throws {UsageError} for a flag, {StackError} for a variable that it cannot take
 */
export function readDevOptions(args: readonly string[], environment: NodeJS.ProcessEnv): StartOptions {
  const { only, ...flags } = readArgs(args, {
    ...stackFlags,
    only: { type: 'string', multiple: true, default: [] },
  }).flags;
  const options = startOptionsOf(flags, environment);
  const subgraphNames = readSubgraphNames();
  const unknown = only.find((name) => !subgraphNames.includes(name));
  if (only.length === 0 || unknown !== undefined) {
    const where = readExternalSubgraphs().some(({ name }) => name === unknown)
      ? ', which runs elsewhere'
      : '';
    const fault =
      unknown === undefined ? '--only is missing' : `--only is ${JSON.stringify(unknown)}${where}`;
    throw new UsageError(`${fault}; it takes ${subgraphNames.join(', ')}`);
  }
  return { ...options, watched: [...new Set(only)] };
}
