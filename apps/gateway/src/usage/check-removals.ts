import { counted } from '@meridian/command-line';
import type { ListedOperation } from '@meridian/manifest';
import type { GraphQLSchema } from 'graphql';
import { parse } from 'graphql';

import { describeUses } from './describe-use.ts';
import { fieldsOfOperation } from './fields-of-operation.ts';
import type { RemovedField } from './removed-fields.ts';
import { removedFields } from './removed-fields.ts';
import type { FieldUse, UsageRecords } from './usage-records.ts';

export interface RemovalCheck {
  readonly before: GraphQLSchema;
  readonly after: GraphQLSchema;
  readonly records: UsageRecords;
  /** A field without use for this many days counts as unused. */
  readonly days: number;
  /** The operations that clients may send at any time. */
  readonly registered: readonly Pick<ListedOperation, 'name' | 'text'>[];
}

export interface RemovalVerdict {
  readonly removed: readonly string[];
  /** The reasons against their removal, a sentence each; empty if there is none. */
  readonly faults: readonly string[];
}

/**
 * Checks that the fields dropped by a new schema may go: each was deprecated, no registered operation selects
 * it, and it was not used for the given time.
 *
 * Spec: Versioning, rule 4.
 */
export async function checkRemovals({
  before,
  after,
  records,
  days,
  registered,
}: RemovalCheck): Promise<RemovalVerdict> {
  const removed = removedFields(before, after);
  const names = removed.map(({ field }) => field);
  if (removed.length === 0) {
    return { removed: names, faults: [] };
  }
  const recordedDays = await records.recordedDays();
  const uses = Map.groupBy(await records.uses(days, { fields: names }), ({ field }) => field);
  const namedBy = operationsByField(before, registered);
  return {
    removed: names,
    faults: [
      ...(recordedDays < days ? [historyTooShort(recordedDays, days)] : []),
      ...removed.flatMap((field) =>
        [
          neverRetired(field),
          stillRegistered(field, namedBy.get(field.field)),
          stillUsed(field, days, uses.get(field.field)),
        ].filter((fault) => fault !== undefined),
      ),
    ],
  };
}

/** Without records, nothing is known to be unused. */
export function historyTooShort(recordedDays: number, days: number): string {
  return recordedDays === 0
    ? 'No usage is recorded, so nothing is known to be unused. Is this the database of the gateway that clients use?'
    : `Usage is recorded for ${recordedDays} of the ${counted(days, 'day')}: wait, or ask for fewer with --days`;
}

function neverRetired({ field, wasDeprecated }: RemovedField): string | undefined {
  return wasDeprecated
    ? undefined
    : `${field} was never retired: deprecate it first, with @deprecated(reason: "…"), and wait`;
}

function stillRegistered({ field }: RemovedField, operations: readonly string[] = []): string | undefined {
  return operations.length === 0
    ? undefined
    : `${field} is selected by the manifest's ${operations.toSorted().join(', ')}`;
}

function stillUsed(
  { field }: RemovedField,
  days: number,
  uses: readonly FieldUse[] = [],
): string | undefined {
  return uses.length === 0 ? undefined : `${field} is still used: ${describeUses(uses, days)}`;
}

function operationsByField(
  schema: GraphQLSchema,
  registered: RemovalCheck['registered'],
): ReadonlyMap<string, readonly string[]> {
  const byField = new Map<string, string[]>();
  for (const { name, text } of registered) {
    for (const field of fieldsOfOperation(schema, parse(text))) {
      byField.set(field, [...(byField.get(field) ?? []), name]);
    }
  }
  return byField;
}
