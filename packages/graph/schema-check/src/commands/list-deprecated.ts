import { alignColumns, counted } from '@meridian/settings/command-line';

import { createDeprecatedSince } from '../deprecations/deprecated-since.ts';
import { describeSince } from '../deprecations/due-day.ts';
import type { Retirement, RetirementClient } from '../deprecations/retirements.ts';
import { findRetirements } from '../deprecations/retirements.ts';
import { wholeFile } from '../read/other-graphs.ts';
import { workingTree } from '../read/repository.ts';
import type { RecordedUsage } from '../read/usage-file.ts';
import { readRules, rulesFile } from '../rules/rules.ts';
import type { GraphInRepository } from '../operations/known-graph.ts';
import { readKnownGraph } from '../operations/known-graph.ts';

/** The call of `pnpm graph deprecated`. */
export interface DeprecatedCall extends GraphInRepository {
  readonly format: 'text' | 'json';
}

/**
 * Lists the deprecated elements of the working tree's graph, with their days and who still uses them.
 *
 * @returns the text to print
 * @throws {CommandError} for what cannot be read
 */
export function listDeprecated({ format, ...inRepository }: DeprecatedCall): string {
  const { root, usage, served } = inRepository;
  const { deprecationDays, usageDays } = readRules(workingTree(root).read(rulesFile));
  const known = readKnownGraph(inRepository);
  const retirements = findRetirements({
    known,
    deprecatedSince: createDeprecatedSince(root),
    // The file of a contract has less history than the file that it is made from.
    schemaFile: known.graph.sources.length > 0 ? wholeFile : (served?.chosen.path ?? wholeFile),
    deprecationDays,
    recordedDays: usage && recordedDays(usage, usageDays),
    today: new Date(),
  });
  if (format === 'json') {
    return `${JSON.stringify(retirements, null, 2)}\n`;
  }
  const seen = known.window.isSufficient
    ? `Seen: the manifests and ${known.window.reason}.`
    : `Seen: the manifests. Operations that only usage knows may be missing: ${known.window.reason}.`;
  return [...(retirements.length === 0 ? ['Nothing is deprecated.'] : table(retirements)), '', seen, ''].join(
    '\n',
  );
}

const dayMs = 86_400_000;

/** The days of the window that usage has records of, the last one being the day of the export. */
function recordedDays({ exportedAt, days, recordedDays: reach }: RecordedUsage, usageDays: number): string[] {
  const last = Date.parse(exportedAt);
  return Array.from({ length: Math.min(days, reach, usageDays) }, (_, index) =>
    new Date(last - index * dayMs).toISOString().slice(0, 10),
  );
}

function table(retirements: readonly Retirement[]): readonly string[] {
  const header = ['element', 'deprecated', 'due', 'requests a day', 'clients', 'reason'];
  return alignColumns([header, ...retirements.map(rowOf)]);
}

function rowOf({ coordinate, since, due, daysLeft, requestsPerDay, clients, reason }: Retirement): string[] {
  return [
    coordinate,
    describeSince(since),
    due === undefined || daysLeft === undefined
      ? 'unknown'
      : daysLeft > 0
        ? `${due}, in ${counted(daysLeft, 'day')}`
        : 'now',
    requestsPerDay === undefined ? 'unknown' : rounded(requestsPerDay),
    clients.length === 0 ? 'none' : clients.map(clientText).join('; '),
    reason,
  ];
}

function rounded(requests: number): string {
  return requests === 0 || requests >= 10 ? requests.toFixed(0) : requests.toPrecision(2);
}

function clientText({ name, versions, owners }: RetirementClient): string {
  const of = owners.length === 0 ? '' : ` of ${owners.join(' ')}`;
  return `${[name || 'unnamed', ...versions].join(' ')}${of}`;
}
