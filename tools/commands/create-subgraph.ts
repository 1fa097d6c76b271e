// `pnpm create-subgraph`: a new subgraph that runs, and is in every list of apps.
import { UsageError, flagValue, integer, readArgs, runCommand } from '@meridian/command-line';
import { systemError } from '@meridian/composition/commands/system-error';

import { createSubgraph } from '../subgraphs/create-subgraph.ts';
import type { CreateOptions } from '../subgraphs/create-subgraph.ts';

const help = `Usage: pnpm create-subgraph <name> [flags]

Creates apps/<name>: schema, resolvers, loader, store, migration, demo data and tests that pass. Adds it to
supergraph.yaml, router.yaml, CODEOWNERS, docker/ and deploy/, installs it, and composes the supergraph.
pnpm remove-subgraph takes all of it away again.

  --type <Type>      its type, one capitalised word (follows from the name: Warehouse for warehouses)
  --entity <Type>    a type of another subgraph that gets a list of them, such as Product
  --port <n>         where it listens (the port after the last app's)
  --owner <@team>    who agrees to changes, in CODEOWNERS (@meridian/<name>)
  --dry-run          print the files that it would write, and write none
  --help             print this

Exit code: 0 when all is written, 1 when something does not install or compose, 2 for a wrong call.`;

await runCommand({
  name: 'pnpm create-subgraph',
  help,
  read: readCall,
  run: createSubgraph,
  lineFor: systemError,
});

function readCall(args: readonly string[]): CreateOptions {
  const { flags, others } = readArgs(
    args,
    {
      type: { type: 'string' },
      entity: { type: 'string' },
      port: { type: 'string' },
      owner: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
    },
    ['<name>'],
  );
  const { type, entity, port, owner } = flags;
  if (owner !== undefined && !/^@[\w-]+(?:\/[\w.-]+)?$/u.test(owner)) {
    throw new UsageError(
      `--owner is ${JSON.stringify(owner)}; it takes a team or a person such as @meridian/reviews`,
    );
  }
  return {
    name: others[0] ?? '',
    type,
    entity,
    port:
      port === undefined ? undefined : flagValue('--port', port, integer({ minimum: 1024, maximum: 65_535 })),
    owner,
    dryRun: flags['dry-run'],
  };
}
