// `pnpm usage:check`: whether what a changed supergraph or a changed manifest no longer has may go.
import { resolve } from 'node:path';
import process from 'node:process';

import { UsageError, flagValue, integer, readArgs, runCommand } from '@meridian/command-line';
import { fixableErrorMessage } from '@meridian/gateway/commands/fixable-error-message';
import { checkUsage } from '@meridian/gateway/commands/check-usage';
import { defaultDataRoot } from '@meridian/local-stack/data-directory';
import { findGatewayDatabase } from '@meridian/local-stack/gateway-database';

const help = `Usage: pnpm usage:check [flags]

Checks that the fields removed from a changed supergraph are deprecated and unused, and that the identifiers
removed from a changed manifest are unused. Give --before, --manifest-before or both.

  --before <file>            the supergraph that clients see now, such as the main branch's:
                             git show origin/main:supergraph.graphql > before.graphql
  --after <file>             the changed one (supergraph.graphql)
  --manifest-before <file>   the manifest that clients use now; a file, a folder or a glob; repeatable
  --manifest <file>          the changed one, whose operations must not select removed fields (persisted-queries.json);
                             likewise
  --days <number>            how long they must have been unused (30)
  --data <folder>            where pnpm start keeps its data (.data)
  --help                     print this

DATABASE_URL   the gateway's database, where usage is recorded. Default: the database of the
               running pnpm start, also when this names the server it was started with

Exit code: 0 when they may be removed, 1 when not or when it is unknown, 2 for a wrong call.`;

await runCommand({
  name: 'pnpm usage:check',
  help,
  read(args) {
    const { flags } = readArgs(args, {
      before: { type: 'string' },
      after: { type: 'string', default: 'supergraph.graphql' },
      'manifest-before': { type: 'string', multiple: true },
      manifest: { type: 'string', multiple: true, default: ['persisted-queries.json'] },
      days: { type: 'string', default: '30' },
      data: { type: 'string', default: defaultDataRoot },
    });
    const { before, after, 'manifest-before': manifestBefore, manifest } = flags;
    if (before === undefined && manifestBefore === undefined) {
      throw new UsageError('--before or --manifest-before is missing, what clients use now');
    }
    return {
      before,
      after,
      manifestBefore,
      manifest,
      dataRoot: resolve(flags.data),
      days: flagValue('--days', flags.days, integer({ minimum: 1, maximum: 9999 })),
    };
  },
  async run({ dataRoot, ...check }) {
    await checkUsage(check, await findGatewayDatabase(dataRoot, process.env));
  },
  lineFor: fixableErrorMessage,
});
