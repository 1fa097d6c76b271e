// `pnpm graph` without a question: the graph as a page to look at.
import { existsSync, readFileSync } from 'node:fs';
import process from 'node:process';

import { readArgs, runCommand } from '@meridian/settings/command-line';
import { systemError } from '@meridian/composition/commands/system-error';
import { fixableErrorMessage } from '@meridian/gateway/commands/fixable-error-message';
import { createReadFieldFigures } from '@meridian/gateway/figures/field-figures';
import { createReadFigures } from '@meridian/gateway/figures/operation-figures';
import { writeGraph } from '@meridian/pages/graph';

import { readGraphAtHand } from './graph-at-hand.ts';

const help = `Usage: pnpm graph [flags]
       pnpm graph <question> …

who <coordinate>   who owns an element, and who uses it
plan <file>        how an operation would be run
usage              which clients use which fields, as recorded
deprecated         what is on its way out, when, and who still uses it
history            what changed, when, and by whom

Each question has --help of its own. Without one:

Writes the graph as one HTML file: subgraphs and their owners, each type and field with what it costs and needs, the
operations and clients that use it, and the plan of each operation, drawn. The file loads nothing and needs no server.

  --out <file>     where it goes (graph.html, to which the explorer links)
  --graph <name>   a contract, or a graph of meridian.graphs (the whole graph), with its own manifests and usage
  --usage <file>   recorded usage, as pnpm graph usage --export writes it. Default: the database below, if there is one
  --help           print this

DATABASE_URL   the gateway's database, where usage is recorded. Default: the database of the running pnpm start`;

const routerConfig = 'router.yaml';

export async function run(args: readonly string[]): Promise<void> {
  await runCommand(
    {
      name: 'pnpm graph',
      help,
      read: (args) =>
        readArgs(args, {
          out: { type: 'string', default: 'graph.html' },
          graph: { type: 'string' },
          usage: { type: 'string' },
        }).flags,
      async run({ out, ...flags }) {
        const graph = await readGraphAtHand(flags, process.env);
        const config = existsSync(routerConfig) ? readFileSync(routerConfig, 'utf8') : undefined;
        await writeGraph({
          ...graph,
          out,
          figures: {
            readFigures: createReadFigures(config, graph.served?.chosen.config),
            readFieldFigures: createReadFieldFigures,
          },
        });
      },
      lineFor: (error) => fixableErrorMessage(error) ?? systemError(error),
    },
    args,
  );
}
