import type { ListedOperation } from '@meridian/manifest';
import { operationKey } from '@meridian/manifest';

import { queryHash } from '../operation/operation-source.ts';
import { historyTooShort } from './check-removals.ts';
import { describeUses } from './describe-use.ts';
import type { IdentifierUse, UsageRecords } from './usage-records.ts';

export interface IdentifierCheck {
  /** Operations of the manifest that clients currently use. */
  readonly before: readonly ListedOperation[];
  readonly after: readonly ListedOperation[];
  readonly records: UsageRecords;
  /** An identifier without use for this many days counts as unused. */
  readonly days: number;
}

export interface IdentifierVerdict {
  /** The identifiers that leave. */
  readonly left: readonly string[];
  /** The reasons against it, a sentence each; empty if there is none. */
  readonly faults: readonly string[];
}

/** Checks that the identifiers dropped by a new manifest were not used for the given time. */
export async function checkIdentifiers({
  before,
  after,
  records,
  days,
}: IdentifierCheck): Promise<IdentifierVerdict> {
  const texts = new Map(after.map(({ id, clientName, text }) => [operationKey(id, clientName), text]));
  const left = before.filter(({ id, clientName }) => !texts.has(operationKey(id, clientName)));
  const changed = before.filter(({ id, clientName, text }) => {
    const textAfter = texts.get(operationKey(id, clientName));
    return textAfter !== undefined && textAfter !== text;
  });
  const uses = Map.groupBy(
    left.length === 0
      ? []
      : await records.identifierUses(
          days,
          left.map(({ text }) => queryHash(text)),
        ),
    (use) => use.queryHash,
  );
  const recordedDays = left.length === 0 ? days : await records.recordedDays();
  return {
    left: left.map(({ id }) => id),
    faults: [
      ...(recordedDays < days ? [historyTooShort(recordedDays, days)] : []),
      ...changed.map(
        ({ id, name }) =>
          `${id} (${name}) has a new text: an identifier belongs to one text for ever, so give the new text a new identifier`,
      ),
      ...left.flatMap((operation) => stillUsed(operation, days, uses.get(queryHash(operation.text))) ?? []),
    ],
  };
}

function stillUsed(
  { id, name }: ListedOperation,
  days: number,
  uses: readonly IdentifierUse[] = [],
): string | undefined {
  return uses.length === 0
    ? undefined
    : `${id} (${name}) leaves the manifest and is used: ${describeUses(uses, days)}`;
}
