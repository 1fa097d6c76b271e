// `pnpm manifest`: writes the manifest of persisted queries with Rover, or with --check says whether the written one is current.
import process from 'node:process';

import { UsageError, flagValue, integer, readArgs, runCommand } from '@meridian/settings/command-line';
import { makeManifest } from '@meridian/composition/commands/make-manifest';
import { systemError } from '@meridian/composition/commands/system-error';

const help = `Usage: pnpm manifest [flags]
       pnpm manifest check <file>… [flags]

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

check holds manifests of any format that the gateway reads (files, folders, globs) against the schema and the limits of the
gateway: each can be read, each operation fits and is within every limit, and no identifier has two texts. It names the
deprecated elements in use: since when, by git's history of the schema, and when they are due by deprecation_days of
schema-check.yaml. For the checks of a team that publishes a manifest.

  --schema <file>         the supergraph, or what clients see of it: api-schema.graphql, which has neither costs nor page
                          sizes (supergraph.graphql)
  --config <file>         the gateway's configuration, whose limits hold (router.yaml)
  --figures               print the cost, depth, aliases, root fields and page sizes of each operation
  --days-left <number>    fail where an operation uses a deprecated element that is due within fewer days, or nobody knows
                          when. Without it, such uses are only printed

Exit code: 0 when the operations fit (and the output file is current), 1 when not, or when a file cannot be read, 2 for a
wrong call.`;

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
    {
      schema: { type: 'string', default: 'supergraph.graphql' },
      config: { type: 'string' },
      figures: { type: 'boolean', default: false },
      'days-left': { type: 'string' },
    },
    ['<file>…'],
  );
  const daysLeft = flags['days-left'];
  const minimumDays =
    daysLeft === undefined
      ? undefined
      : flagValue('--days-left', daysLeft, integer({ minimum: 0, maximum: 9999 }));
  return async () => {
    // The other calls do without the code of the gateway.
    const { createJudgeUnder } = await import('@meridian/gateway/figures/judge-operation');
    const { checkManifests } = await import('@meridian/schema-check/commands/check-manifests');
    const text = checkManifests({
      paths: others,
      schemaFile: flags.schema,
      configFile: flags.config,
      showsFigures: flags.figures,
      minimumDays,
      judgeUnder: (config, name) => createJudgeUnder(config, { name, env: process.env }),
    });
    process.stdout.write(text);
  };
}
