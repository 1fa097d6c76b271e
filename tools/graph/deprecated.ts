// `pnpm graph deprecated`: what is on its way out of the graph, when, and who still uses it.
import process from 'node:process';

import { readArgs, runCommand } from '@meridian/settings/command-line';
import { systemError } from '@meridian/composition/commands/system-error';
import { fixableErrorMessage } from '@meridian/gateway/commands/fixable-error-message';
import { listDeprecated } from '@meridian/schema-check/commands/list-deprecated';

import { readGraphAtHand } from './graph-at-hand.ts';

const help = `Usage: pnpm graph deprecated [flags]

Lists the deprecated fields, arguments, input fields and enum values of the graph: since when, by git's history of
supergraph.graphql; when each is due, by deprecation_days of schema-check.yaml; who still uses it, by the manifests and
recorded usage; and why. The one that is due first is above the others.

  --graph <name>   a contract, or a graph of meridian.graphs (the whole graph), with its own manifests and usage
  --usage <file>   recorded usage, as pnpm graph usage --export writes it. Default: the database below, if there is one
  --json           print JSON
  --help           print this

DATABASE_URL   the gateway's database, where usage is recorded. Default: the database of the running pnpm start`;

export async function run(args: readonly string[]): Promise<void> {
  await runCommand(
    {
      name: 'pnpm graph deprecated',
      help,
      read: (args) =>
        readArgs(args, {
          graph: { type: 'string' },
          usage: { type: 'string' },
          json: { type: 'boolean', default: false },
        }).flags,
      run: async ({ json, ...flags }) => {
        const graph = await readGraphAtHand(flags, process.env);
        process.stdout.write(listDeprecated({ ...graph, format: json ? 'json' : 'text' }));
      },
      lineFor: (error) => fixableErrorMessage(error) ?? systemError(error),
    },
    args,
  );
}
