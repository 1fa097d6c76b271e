// `pnpm usage:check`: whether the fields that a changed supergraph no longer has may be removed.
import { readFileSync } from 'node:fs';
import process from 'node:process';

import { CallError, CommandError, counted, readWords, runCommand } from '@meridian/command-line';
import type { Supergraph } from '@meridian/executor';
import { loadSupergraph } from '@meridian/executor';
import { findManifests, readManifest } from '@meridian/manifest';

import { checkRemovals } from '../usage/check-removals.ts';
import { mendableError } from './mendable-error.ts';
import { readDays } from './read-days.ts';
import { withUsageRecords } from './with-usage-records.ts';

const help = `Usage: pnpm usage:check --before <file> [flags]

Checks that the fields which a changed supergraph no longer has are retired and used by nobody.

  --before <file>     the supergraph that clients see now, such as that of the main branch:
                      git show origin/main:supergraph.graphql > before.graphql
  --after <file>      the changed one (supergraph.graphql)
  --manifest <file>   the registered operations, which must not select them (persisted-queries.json);
                      a file, a folder or a glob, and may stand several times
  --days <number>     for how long nobody may have used them (30)
  --data <folder>     where pnpm start keeps its data (.data)
  --help              print this

DATABASE_URL   the gateway's database, where usage is recorded (that of the pnpm start
               that runs, also while this names the server it was started with)

Exit code: 0 when they may be removed, 1 when not, or when nothing can be said; 2 for a wrong call.`;

await runCommand({
  name: 'pnpm usage:check',
  help,
  read(words) {
    const { flags } = readWords(words, {
      before: { type: 'string' },
      after: { type: 'string', default: 'supergraph.graphql' },
      manifest: { type: 'string', multiple: true, default: ['persisted-queries.json'] },
      days: { type: 'string', default: '30' },
    });
    const { before, after, manifest } = flags;
    if (before === undefined) {
      throw new CallError('--before is missing, the supergraph that clients see now');
    }
    return { before, after, manifest, days: readDays(flags.days) };
  },
  async run({ before, after, manifest, days }) {
    const schemas = { before: readSupergraph(before).apiSchema, after: readSupergraph(after).apiSchema };
    const registered = findManifests(manifest).flatMap((path) => readManifest(path).operations);
    const { removed, faults } = await withUsageRecords((records) =>
      checkRemovals({ ...schemas, records, days, registered }),
    );
    if (faults.length > 0) {
      throw new CommandError(faults.join('\n'));
    }
    process.stdout.write(
      removed.length === 0
        ? 'No field is removed\n'
        : `${removed.join(', ')}: retired, and not used for ${counted(days, 'day')}\n`,
    );
  },
  lineFor: mendableError,
});

function readSupergraph(path: string): Supergraph {
  return loadSupergraph(readText(path));
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandError(`Cannot read ${path}: it is not there or not readable`, { cause: error });
  }
}
