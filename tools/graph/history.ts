// `pnpm graph history`: what changed in the graph, when, and by whom.
import {
  UsageError,
  flagValue,
  positiveInteger,
  readArgs,
  runCommand,
} from '@meridian/settings/command-line';
import { systemError } from '@meridian/composition/commands/system-error';
import type { HistoryCall } from '@meridian/schema-check/commands/print-history';
import { printHistory } from '@meridian/schema-check/commands/print-history';

const help = `Usage: pnpm graph history [coordinate] [flags]

Prints what changed in the graph, by git's history of supergraph.graphql: each commit with its day, author and subject, and
its changes, of the kinds that pnpm check knows. The newest commit is above the others.

  coordinate       Product, Product.stock, Query.orders(first:), OrderStatus.SHIPPED: only its changes
  --since <day>    only from this day on, as in 2026-01-31
  --max <number>   the most commits to print (20)
  --json           print JSON
  --help           print this`;

export async function run(args: readonly string[]): Promise<void> {
  await runCommand(
    {
      name: 'pnpm graph history',
      help,
      read: readCall,
      run: printHistory,
      lineFor: systemError,
    },
    args,
  );
}

function readCall(args: readonly string[]): HistoryCall {
  const [first = ''] = args;
  const coordinate = first === '' || first.startsWith('-') ? undefined : first;
  const { flags } = readArgs(coordinate === undefined ? args : args.slice(1), {
    since: { type: 'string' },
    max: { type: 'string', default: '20' },
    json: { type: 'boolean', default: false },
  });
  const { since } = flags;
  if (since !== undefined && !/^\d{4}-\d{2}-\d{2}$/u.test(since)) {
    throw new UsageError(`--since is ${JSON.stringify(since)}; it takes a day such as 2026-01-31`);
  }
  return {
    coordinate,
    since,
    max: flagValue('--max', flags.max, positiveInteger),
    format: flags.json ? 'json' : 'text',
  };
}
