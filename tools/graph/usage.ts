// `pnpm graph usage`: who uses which fields, and how the operations of a client do.
import { resolve } from 'node:path';
import process from 'node:process';

import { UsageError, flagValue, integer, readArgs, runCommand } from '@meridian/settings/command-line';
import { fixableErrorMessage } from '@meridian/gateway/commands/fixable-error-message';
import { exportUsage } from '@meridian/gateway/commands/export-usage';
import { reportUsage } from '@meridian/gateway/commands/report-usage';
import type { UsageQuery } from '@meridian/gateway/commands/report-usage';
import { defaultDataRoot } from '@meridian/local-stack/data-directory';
import { findGatewayDatabase } from '@meridian/local-stack/gateway-database';

const help = `Usage: pnpm graph usage [flags]

Says which fields of the graph are used, how often, and by whom. With --client or --operation it says how
operations do instead: requests, errors, the time within which 95 of 100 end, and the mean estimated cost.

  --client <name>         only this one's operations; "" for clients without a name
  --version <version>     only of this version of it
  --operation <name>      only this one; may stand several times
  --field <Type.field>    only what uses this one; may stand several times
  --type <Type>           only what uses a field of this type; may stand several times
  --graph <name>          only this graph, of a gateway of several (meridian.graphs)
  --subgraph <name>       only what uses a field that this subgraph resolves
  --days <number>         of the last days, today included (30)
  --json                  print JSON, for programs
  --export <file>         write all usage of these days, for pnpm check --usage; of a gateway of several graphs with
                          --graph, and without other filters
  --supergraph <file>     for --subgraph, and for names without recorded use (supergraph.graphql)
  --data <folder>         where pnpm start keeps its data (.data)
  --help                  print this

DATABASE_URL   the gateway's database, where usage is recorded. Default: the database of the
               running pnpm start, also when this names the server it was started with`;

interface UsageCall extends UsageQuery {
  /** The file that usage is written to, instead of a report. */
  readonly exportPath: string | undefined;
  /** Where the stack keeps its data, whose gateway's database is read. */
  readonly dataRoot: string;
}

export async function run(args: readonly string[]): Promise<void> {
  await runCommand(
    {
      name: 'pnpm graph usage',
      help,
      read: readCall,
      async run({ dataRoot, exportPath, ...call }) {
        const databaseUrl = await findGatewayDatabase(dataRoot, process.env);
        await (exportPath === undefined
          ? reportUsage(call, databaseUrl)
          : exportUsage({ path: exportPath, days: call.days, graph: call.filter.graph }, databaseUrl));
      },
      lineFor: fixableErrorMessage,
    },
    args,
  );
}

function readCall(args: readonly string[]): UsageCall {
  const { flags } = readArgs(args, {
    client: { type: 'string' },
    version: { type: 'string' },
    operation: { type: 'string', multiple: true },
    field: { type: 'string', multiple: true },
    type: { type: 'string', multiple: true },
    graph: { type: 'string' },
    subgraph: { type: 'string' },
    days: { type: 'string', default: '30' },
    json: { type: 'boolean', default: false },
    export: { type: 'string' },
    supergraph: { type: 'string', default: 'supergraph.graphql' },
    data: { type: 'string', default: defaultDataRoot },
  });
  if (flags.version !== undefined && flags.client === undefined) {
    throw new UsageError('--client is missing, whose version --version names');
  }
  const filter = {
    clientName: flags.client,
    clientVersion: flags.version,
    operations: flags.operation,
    fields: flags.field,
    types: flags.type,
  };
  const filters = [...Object.values(filter), flags.subgraph];
  if (flags.export !== undefined && filters.some((value) => value !== undefined)) {
    throw new UsageError('--export writes all usage, and takes --days and --graph only');
  }
  return {
    exportPath: flags.export,
    filter: { ...filter, graph: flags.graph },
    subgraph: flags.subgraph,
    days: flagValue('--days', flags.days, integer({ minimum: 1, maximum: 9999 })),
    isJson: flags.json,
    supergraphPath: flags.supergraph,
    dataRoot: resolve(flags.data),
  };
}
