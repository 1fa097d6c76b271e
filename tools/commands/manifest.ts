// `pnpm manifest`: writes the manifest of persisted queries with Rover, or with --check says whether the written one is current.
import { UsageError, readArgs, runCommand } from '@meridian/command-line';
import { checkManifests } from '@meridian/composition/commands/check-manifests';
import { makeManifest } from '@meridian/composition/commands/make-manifest';
import { systemError } from '@meridian/composition/commands/system-error';

const help = `Usage: pnpm manifest [flags]
       pnpm manifest check <file>… [--schema <file>]

Makes the manifest of persisted queries from a client's operations, with Rover. Of several operations of one name, the last
is the current one; those before it are of earlier releases.

  --operations <folder>   the client's .graphql files, an operation each (apps/storefront/operations)
  --supergraph <file>     the supergraph that the operations must fit (supergraph.graphql)
  --output <file>         where the manifest goes (persisted-queries.json)
  --base <ref>            operations that the output file has there stay in it, because released clients send their
                          identifiers (origin/main; where it is not at hand, every operation that the file has)
  --retire <name>         drop one of those, by its name or identifier; may be given again. It fails where none matches
  --app <name>            the app that the manifest is of, as it names itself in requests; written into it
  --app-version <version> a version of it that is still in the field; may be given again
  --check                 write nothing; fail when the output file is not what the operations make
  --help                  print this

check holds manifests of any format that the gateway reads (files, folders, globs) against the schema: each can be read, each
operation fits, and no identifier has two texts. For the checks of a team that publishes one.

  --schema <file>         what clients see: api-schema.graphql, or the supergraph (supergraph.graphql)

Exit code: 0 when the operations fit (and the output file is current), 1 when not, 2 for a wrong call.`;

const options = {
  operations: { type: 'string', default: 'apps/storefront/operations' },
  supergraph: { type: 'string', default: 'supergraph.graphql' },
  output: { type: 'string', default: 'persisted-queries.json' },
  check: { type: 'boolean', default: false },
  retire: { type: 'string', multiple: true },
  base: { type: 'string', default: 'origin/main' },
  app: { type: 'string' },
  'app-version': { type: 'string', multiple: true },
} as const;

await runCommand({
  name: 'pnpm manifest',
  help,
  read: readCall,
  run: (call) => call(),
  lineFor: systemError,
});

function readCall(args: readonly string[]): () => void | Promise<void> {
  if (args[0] !== 'check') {
    const {
      flags: { app: name, 'app-version': versions = [], ...flags },
    } = readArgs(args, options);
    if (name === undefined && versions.length > 0) {
      throw new UsageError('--app-version takes --app, whose version it is');
    }
    return () => makeManifest({ ...flags, app: name === undefined ? undefined : { name, versions } });
  }
  const { flags, others } = readArgs(
    args.slice(1),
    { schema: { type: 'string', default: 'supergraph.graphql' } },
    ['<file>…'],
  );
  return () => checkManifests(others, flags.schema);
}
