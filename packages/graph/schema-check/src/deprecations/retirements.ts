import type { ClientUse } from '../operations/client-uses.ts';
import type { KnownGraph } from '../operations/known-graph.ts';
import { usedCoordinates } from '../operations/used-coordinates.ts';
import type { DeprecatedSince, DeprecationDay } from './deprecated-since.ts';
import { deprecatedElements } from './deprecated-elements.ts';
import type { DeprecatedElement } from './deprecated-elements.ts';
import type { DueDay } from './due-day.ts';
import { dueDay } from './due-day.ts';

/** A deprecated element on its way out: since when, until when, and who still uses it. */
export interface Retirement extends DeprecatedElement, DueDay {
  /** Absent where no history is at hand. */
  readonly since: DeprecationDay | undefined;
  /** The names of the operations that use it. */
  readonly operations: readonly string[];
  readonly clients: readonly RetirementClient[];
  /** The mean over the window of usage; absent where none is at hand, or an earlier release recorded it. */
  readonly requestsPerDay: number | undefined;
}

export interface RetirementClient {
  readonly name: string;
  /** Those known to send it; empty where any version may. */
  readonly versions: readonly string[];
  readonly owners: readonly string[];
}

export interface RetirementGrounds {
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
export function findRetirements(grounds: RetirementGrounds): readonly Retirement[] {
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
