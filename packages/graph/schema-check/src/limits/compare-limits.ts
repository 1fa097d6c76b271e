import type { ChangeWithHits } from '../changes/impact/find-hits.ts';
import { operationChange, withoutHits } from '../changes/impact/find-hits.ts';
import type { KnownOperation } from '../changes/impact/known-operation.ts';
import type { ChangeKind } from '../changes/kinds.ts';
import { changeOf } from '../changes/change.ts';

import type { Sides } from '../read/read-sides.ts';
import type { Rejection } from '../plans/figures.ts';
import type { GatewayLimits } from './gateway-limits.ts';

/** The limits of both sides. */
export interface LimitsOfBoth {
  readonly before: GatewayLimits;
  readonly after: GatewayLimits;
}

/**
 * The operations that a changed router.yaml rejects, and the limits that it loosens. The changed graph is judged under
 * the limits of both sides, since the stricter counts.
 *
 * Contract: Composition and checks, "Limits, costs, the safelist".
 */
export function compareLimits(
  operations: readonly KnownOperation[],
  { before, after }: Sides,
  limits: LimitsOfBoth,
): readonly ChangeWithHits[] {
  const loosened = loosenedLimits(limits);
  if (hasSameValues(limits)) {
    return loosened;
  }
  const rejectedBefore = limits.before.rejectionsOver(before.supergraph);
  const rejectedAfter = [limits.before, limits.after].map((side) => side.rejectionsOver(after.supergraph));
  const rejected = operations.flatMap((operation) => {
    const { text } = operation;
    if (text === undefined) {
      return [];
    }
    const known = new Set(rejectedBefore(text).map(({ code }) => code));
    const added = rejectedAfter.flatMap((rejections) =>
      rejections(text).filter(({ code }) => !known.has(code)),
    );
    const byKind = new Map(added.map((rejection) => [kindOf(rejection), rejection.message]));
    return Array.from(byKind, ([kind, message]) =>
      operationChange(kind, operation, { after: message, detail: message }),
    );
  });
  return [...rejected.filter(({ kind }) => kind !== 'OPERATION_INVALID'), ...loosened];
}

const kindsByCode: Readonly<Record<string, ChangeKind>> = {
  COST_ESTIMATED_TOO_EXPENSIVE: 'OPERATION_TOO_EXPENSIVE',
  PAGE_SIZE_LIMIT: 'OPERATION_PAGE_TOO_LARGE',
  MAX_DEPTH_LIMIT: 'OPERATION_TOO_DEEP',
  MAX_ALIASES_LIMIT: 'OPERATION_TOO_MANY_ALIASES',
  MAX_ROOT_FIELDS_LIMIT: 'OPERATION_TOO_MANY_ROOT_FIELDS',
  // The validation of all operations over the new schema says more.
  GRAPHQL_VALIDATION_FAILED: 'OPERATION_INVALID',
};

function kindOf({ code }: Rejection): ChangeKind {
  return kindsByCode[code] ?? 'OPERATION_OVER_LIMIT';
}

function hasSameValues({ before, after }: LimitsOfBoth): boolean {
  return (
    before.assumedListSize === after.assumedListSize &&
    [...before.values].every(([key, value]) => after.values.get(key) === value)
  );
}

function loosenedLimits({ before, after }: LimitsOfBoth): readonly ChangeWithHits[] {
  const placeOf = (key: string): string => `${after.placeOf(key).file} ${key}`;
  const raised = [...before.values].flatMap(([key, value]) => {
    const other = after.values.get(key);
    return value !== undefined && (other === undefined || other > value)
      ? [loosening('LIMIT_LOOSENED', placeOf(key), String(value), limitText(other))]
      : [];
  });
  const isOpened = before.isSafelistOn && !after.isSafelistOn;
  return isOpened ? [...raised, loosening('SAFELIST_OFF', placeOf(safelistKey))] : raised;
}

function loosening(kind: ChangeKind, place: string, before?: string, after?: string): ChangeWithHits {
  return withoutHits(changeOf(kind, place, { before, after }));
}

/** The key of router.yaml that turns the safelist on. */
const safelistKey = 'persisted_queries.safelist.enabled';

function limitText(value: number | undefined): string {
  return value === undefined ? 'no limit' : String(value);
}
