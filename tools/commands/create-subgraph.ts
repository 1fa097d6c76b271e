// `pnpm create-subgraph`: a new subgraph that runs, and is in every list of apps.
import { headerType, ownerType, urlType } from '@meridian/local-stack/apps';
import { UsageError, flagValue, integer, readArgs, runCommand } from '@meridian/settings/command-line';
import { systemError } from '@meridian/composition/commands/system-error';

import { createExternal } from '../subgraphs/create-external.ts';
import type { CreateExternalOptions } from '../subgraphs/create-external.ts';
import { createSubgraph } from '../subgraphs/create-subgraph.ts';
import type { CreateOptions } from '../subgraphs/create-subgraph.ts';

const help = `Usage: pnpm create-subgraph <name> [flags]
       pnpm create-subgraph <name> --external <url> --schema <file> [flags]

Creates apps/<name>: schema, resolvers, loader, store, migration, demo data and tests that pass. Adds it to
supergraph.yaml, router.yaml, CODEOWNERS, docker/ and deploy/, installs it, and composes the supergraph.
With --external, the subgraph runs elsewhere: apps/<name> has its schema and its address.
pnpm remove-subgraph takes all of it away again.

  --type <Type>      its type, such as GiftCard (follows from the name: GiftCard for gift-cards)
  --entity <Type>    a type of another subgraph that gets a list of them, such as Product
  --port <n>         where it listens (the port after the last app's)
  --owner <@team>    who agrees to changes, in CODEOWNERS (@meridian/<name>)
  --external <url>   where the gateway asks a subgraph of another stack or another repository
  --schema <file>    its schema
  --header <name>    a header field of the client's request that it gets, such as authorization;
                     may be given several times (none)
  --dry-run          print the files that it would write, and write none
  --help             print this

Exit code: 0 when all is written, 1 when something does not install or compose, 2 for a wrong call.`;

await runCommand({
  name: 'pnpm create-subgraph',
  help,
  read: readCall,
  run: (options) => ('url' in options ? createExternal(options) : createSubgraph(options)),
  lineFor: systemError,
});

function readCall(args: readonly string[]): CreateOptions | CreateExternalOptions {
  const {
    flags,
    others: [name = ''],
  } = readArgs(
    args,
    {
      type: { type: 'string' },
      entity: { type: 'string' },
      port: { type: 'string' },
      owner: { type: 'string' },
      external: { type: 'string' },
      schema: { type: 'string' },
      header: { type: 'string', multiple: true },
      'dry-run': { type: 'boolean', default: false },
    },
    ['<name>'],
  );
  const { type, entity, port, external, schema, header } = flags;
  const owner = flags.owner === undefined ? undefined : flagValue('--owner', flags.owner, ownerType);
  const dryRun = flags['dry-run'];
  if (external === undefined) {
    rejectFlags({ '--schema': schema, '--header': header }, 'goes with --external');
    return {
      name,
      type,
      entity,
      port:
        port === undefined
          ? undefined
          : flagValue('--port', port, integer({ minimum: 1024, maximum: 65_535 })),
      owner,
      dryRun,
    };
  }
  rejectFlags(
    { '--type': type, '--entity': entity, '--port': port },
    'is for a subgraph that is created here, and does not go with --external',
  );
  if (schema === undefined) {
    throw new UsageError('--schema is missing; it takes the file with the schema of the subgraph');
  }
  return {
    name,
    owner: owner ?? `@meridian/${name}`,
    url: flagValue('--external', external, urlType),
    headers: [...new Set(header?.map((field) => flagValue('--header', field.toLowerCase(), headerType)))],
    schema,
    dryRun,
  };
}

/** @throws {UsageError} for the first of these flags that is given */
function rejectFlags(given: Readonly<Record<string, unknown>>, reason: string): void {
  const flag = Object.keys(given).find((name) => given[name] !== undefined);
  if (flag !== undefined) {
    throw new UsageError(`${flag} ${reason}`);
  }
}
