// `pnpm usage:check`: whether what a changed supergraph or a changed manifest no longer has may go.
import process from 'node:process';

import { UsageError, CommandError, counted, readArgs, runCommand } from '@meridian/command-line';
import type { ListedOperation } from '@meridian/manifest';
import { findManifests, readManifest } from '@meridian/manifest';

import { checkIdentifiers } from '../usage/check-identifiers.ts';
import { checkRemovals } from '../usage/check-removals.ts';
import { mendableError } from './mendable-error.ts';
import { readDays } from './read-days.ts';
import { readSupergraph } from './read-supergraph.ts';
import { withUsageRecords } from './with-usage-records.ts';

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
    });
    const { before, after, 'manifest-before': manifestBefore, manifest } = flags;
    if (before === undefined && manifestBefore === undefined) {
      throw new UsageError('--before or --manifest-before is missing, what clients use now');
    }
    return { before, after, manifestBefore, manifest, days: readDays(flags.days) };
  },
  async run({ before, after, manifestBefore, manifest, days }) {
    const registered = operationsIn(manifest);
    const fields =
      before === undefined
        ? undefined
        : { before: readSupergraph(before).apiSchema, after: readSupergraph(after).apiSchema };
    const identifiers =
      manifestBefore === undefined ? undefined : { before: operationsIn(manifestBefore), after: registered };
    const [removal, leaving] = await withUsageRecords((records) =>
      Promise.all([
        fields && checkRemovals({ ...fields, records, days, registered }),
        identifiers && checkIdentifiers({ ...identifiers, records, days }),
      ]),
    );
    const faults = new Set([...(removal?.faults ?? []), ...(leaving?.faults ?? [])]);
    if (faults.size > 0) {
      throw new CommandError([...faults].join('\n'));
    }
    const unused = `not used for ${counted(days, 'day')}`;
    process.stdout.write(
      [
        removal && lineOf('field', 'is removed', removal.removed, `retired, and ${unused}`),
        leaving && lineOf('identifier', 'leaves the manifest', leaving.left, unused),
      ].join(''),
    );
  },
  lineFor: mendableError,
});

function operationsIn(paths: readonly string[]): readonly ListedOperation[] {
  return findManifests(paths).flatMap((path) => readManifest(path).operations);
}

function lineOf(kind: string, goes: string, names: readonly string[], verdict: string): string {
  return names.length === 0 ? `No ${kind} ${goes}\n` : `${names.join(', ')}: ${verdict}\n`;
}
