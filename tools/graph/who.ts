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

const options = {
  graph: { type: 'string' },
  usage: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

export async function run(args: readonly string[]): Promise<void> {
  await runCommand(
    {
      name: 'pnpm graph who',
      help,
      read(args) {
        const {
          flags,
          others: [coordinate = ''],
        } = readArgs(args, options, ['<coordinate>']);
        return { coordinate, ...flags };
      },
      run: async ({ coordinate, json, ...flags }) =>
        printWhoUses({
          ...(await readGraphAtHand(flags, process.env)),
          coordinate,
          format: json ? 'json' : 'text',
          createReadFigures,
          createReadFieldFigures,
        }),
      lineFor: (error) => fixableErrorMessage(error) ?? systemError(error),
    },
    args,
  );
}
