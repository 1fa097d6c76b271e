import process from 'node:process';

import { CommandError, counted } from '@meridian/command-line';
import type { ListedOperation } from '@meridian/manifest';
import { findManifests, readManifest } from '@meridian/manifest';

import { checkIdentifiers } from '../usage/check-identifiers.ts';
import { checkRemovals } from '../usage/check-removals.ts';
import { readSupergraph } from './read-supergraph.ts';
import { withUsageRecords } from './with-usage-records.ts';

/** The request of `pnpm usage:check`: files that clients use now, and the changed ones. */
export interface UsageCheck {
  readonly before: string | undefined;
  readonly after: string;
  readonly manifestBefore: readonly string[] | undefined;
  readonly manifest: readonly string[];
  readonly days: number;
}

/**
 * Checks that everything that a changed supergraph or manifest removes is unused.
 *
 * @param databaseUrl of the gateway's database
 * @throws {CommandError} that lists every fault, or says that there is no database
 */
export async function checkUsage(
  { before, after, manifestBefore, manifest, days }: UsageCheck,
  databaseUrl: string | undefined,
): Promise<void> {
  const registered = operationsIn(manifest);
  const fields =
    before === undefined
      ? undefined
      : { before: readSupergraph(before).apiSchema, after: readSupergraph(after).apiSchema };
  const identifiers =
    manifestBefore === undefined ? undefined : { before: operationsIn(manifestBefore), after: registered };
  const [removal, leaving] = await withUsageRecords(databaseUrl, (records) =>
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
}

function operationsIn(paths: readonly string[]): readonly ListedOperation[] {
  return findManifests(paths).flatMap((path) => readManifest(path).operations);
}

function lineOf(kind: string, goes: string, names: readonly string[], verdict: string): string {
  return names.length === 0 ? `No ${kind} ${goes}\n` : `${names.join(', ')}: ${verdict}\n`;
}
