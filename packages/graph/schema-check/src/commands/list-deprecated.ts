import { alignColumns, counted } from '@meridian/settings/command-line';

import type { DeprecatedSince, DeprecationDay } from '../deprecations/deprecated-since.ts';
import { createDeprecatedSince } from '../deprecations/deprecated-since.ts';
import type { DueDay } from '../deprecations/due-day.ts';
import { describeSince, dueDay } from '../deprecations/due-day.ts';
import { wholeFile } from '../read/other-graphs.ts';
import { workingTree } from '../read/repository.ts';
import type { RecordedUsage } from '../read/usage-file.ts';
import { readRules, rulesFile } from '../rules/rules.ts';
import type { GraphInRepository, KnownGraph } from '../operations/known-graph.ts';
import { readKnownGraph } from '../operations/known-graph.ts';
import type { ClientUse } from '../operations/client-uses.ts';
import { usedCoordinates } from '../changes/impact/known-operation.ts';
import type { DeprecatedElement } from '../deprecations/deprecated-elements.ts';
import { deprecatedElements } from '../deprecations/deprecated-elements.ts';

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

/** A deprecated element on its way out: since when, until when, and who still uses it. */
interface Retirement extends DeprecatedElement, DueDay {
  /** Absent where no history is at hand. */
  readonly since: DeprecationDay | undefined;
  /** The names of the operations that use it. */
  readonly operations: readonly string[];
  readonly clients: readonly RetirementClient[];
  /** The mean over the window of usage; absent where none is at hand, or an earlier release recorded it. */
  readonly requestsPerDay: number | undefined;
}

interface RetirementClient {
  readonly name: string;
  /** Those known to send it; empty where any version may. */
  readonly versions: readonly string[];
  readonly owners: readonly string[];
}

interface RetirementGrounds {
  readonly known: KnownGraph;
  readonly deprecatedSince: DeprecatedSince;
  /** The file whose history has the days. */
  readonly schemaFile: string;
  readonly deprecationDays: number;
  /** The days that usage tells of; absent where none is at hand. */
  readonly recordedDays: readonly string[] | undefined;
  readonly today: Date;
}

/** The deprecated elements of a graph, the one that is due first before the others. */
function findRetirements(grounds: RetirementGrounds): readonly Retirement[] {
  const { known, deprecatedSince, schemaFile, deprecationDays, today } = grounds;
  const { apiSchema } = known.graph.supergraph;
  const used = known.operations.map((read) => ({
    operation: read.operation,
    coordinates: usedCoordinates(apiSchema, read),
  }));
  return deprecatedElements(apiSchema)
    .map(({ coordinate, reason }) => {
      const using = used
        .filter(({ coordinates }) => coordinates.has(coordinate))
        .map(({ operation }) => operation);
      const since = deprecatedSince(schemaFile, coordinate);
      const { due, daysLeft } = dueDay(since, deprecationDays, today);
      const uses = using.flatMap(known.readClientUses);
      return {
        coordinate,
        reason,
        since,
        due,
        daysLeft,
        operations: [...new Set(using.map(({ name }) => name))],
        clients: Array.from(
          Map.groupBy(uses, ({ name }) => name),
          ([name, same]) => ({
            name,
            versions: [...new Set(same.flatMap(({ version }) => version ?? []))],
            owners: known.clientOwners(name),
          }),
        ),
        requestsPerDay: meanPerDay(uses, grounds.recordedDays),
      };
    })
    .toSorted((one, other) => (one.daysLeft ?? Infinity) - (other.daysLeft ?? Infinity));
}

function meanPerDay(uses: readonly ClientUse[], days: readonly string[] | undefined): number | undefined {
  const isByDay = uses.every(({ requests, daily }) => requests === undefined || daily.size > 0);
  if (days === undefined || days.length === 0 || !isByDay) {
    return undefined;
  }
  const requests = days.flatMap((day) => uses.map(({ daily }) => daily.get(day) ?? 0));
  return requests.reduce((sum, count) => sum + count, 0) / days.length;
}
