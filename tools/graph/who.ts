// `pnpm graph who`: the owners and the users of a field.
import process from 'node:process';

import { readArgs, runCommand } from '@meridian/settings/command-line';
import { systemError } from '@meridian/composition/commands/system-error';
import { fixableErrorMessage } from '@meridian/gateway/commands/fixable-error-message';
import { createReadFieldFigures } from '@meridian/gateway/figures/field-figures';
import { createReadFigures } from '@meridian/gateway/figures/operation-figures';
import { printWhoUses } from '@meridian/schema-check/commands/print-who-uses';

import { readGraphAtHand } from './graph-at-hand.ts';

const help = `Usage: pnpm graph who <coordinate> [flags]

Prints who owns an element of the schema, with its file and line, what it costs and needs, since when it is deprecated
(from git's history), and who uses it: operations with their costs, and clients, with versions, requests, last use, p95
and errors where usage is recorded.

  <coordinate>     Product, Product.stock, Query.orders(first:), OrderStatus.SHIPPED
  --graph <name>   a contract, or a graph of meridian.graphs (the whole graph), with its own manifests and usage
  --usage <file>   recorded usage, as pnpm graph usage --export writes it. Default: the database below, if there is one
  --json           print JSON
  --help           print this

DATABASE_URL   the gateway's database, where usage is recorded. Default: the database of the running pnpm start`;

export async function run(args: readonly string[]): Promise<void> {
  await runCommand(
    {
      name: 'pnpm graph who',
      help,
      read: readOptions,
      run: async ({ coordinate, format, ...flags }) =>
        printWhoUses({
          ...(await readGraphAtHand(flags, process.env)),
          coordinate,
          format,
          createReadFigures,
          createReadFieldFigures,
        }),
      lineFor: (error) => fixableErrorMessage(error) ?? systemError(error),
    },
    args,
  );
}

interface WhoCall {
  readonly coordinate: string;
  readonly graph: string | undefined;
  /** A file. */
  readonly usage: string | undefined;
  readonly format: 'text' | 'json';
}

function readOptions(args: readonly string[]): WhoCall {
  const { flags, others } = readArgs(
    args,
    { graph: { type: 'string' }, usage: { type: 'string' }, json: { type: 'boolean', default: false } },
    ['<coordinate>'],
  );
  const { graph, usage, json } = flags;
  return { coordinate: others[0] ?? '', graph, usage, format: json ? 'json' : 'text' };
}
