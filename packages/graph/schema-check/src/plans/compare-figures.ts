import type { ChangeWithHits } from '../changes/impact/find-hits.ts';
import { operationChange } from '../changes/impact/find-hits.ts';
import type { KnownOperation } from '../changes/impact/known-operation.ts';
import type { ChangeKind } from '../changes/kinds.ts';
import type { OperationFigures, Requirement } from './figures.ts';

/** Compares the figures of an operation; one that the gateway rejects on a side has none there. */
export function compareFigures(
  operation: KnownOperation,
  before: OperationFigures | undefined,
  after: OperationFigures | undefined,
): readonly ChangeWithHits[] {
  if (before === undefined || after === undefined) {
    return [];
  }
  const changed = (kind: ChangeKind, one: string | undefined, other: string | undefined): ChangeWithHits =>
    operationChange(kind, operation, { before: one, after: other }, 'uses');
  const changes: ChangeWithHits[] = [];
  const { cost, maxCost = Number.POSITIVE_INFINITY } = after;
  if (cost > before.cost) {
    const isTooExpensive = cost > maxCost && before.cost <= (before.maxCost ?? Number.POSITIVE_INFINITY);
    changes.push(
      isTooExpensive
        ? changed('OPERATION_TOO_EXPENSIVE', String(before.cost), `${cost}, and ${maxCost} is the limit`)
        : changed('OPERATION_COST_ADDED', String(before.cost), String(cost)),
    );
  }
  if (after.pageSizeFault !== undefined && before.pageSizeFault === undefined) {
    changes.push(changed('OPERATION_PAGE_TOO_LARGE', undefined, after.pageSizeFault));
  }
  const [policy, newPolicy] = [policyOf(before), policyOf(after)];
  if (newPolicy.isPublic && !policy.isPublic) {
    changes.push(changed('OPERATION_CACHE_SCOPE_WIDENED', policy.text, newPolicy.text));
  } else if (
    newPolicy.maxAgeSeconds < policy.maxAgeSeconds ||
    (newPolicy.maxAgeSeconds > 0 && policy.isPublic && !newPolicy.isPublic)
  ) {
    changes.push(changed('OPERATION_LESS_CACHEABLE', policy.text, newPolicy.text));
  }
  const added = addedRequirements(before.requirements, after.requirements);
  if (added.length > 0) {
    changes.push(changed('OPERATION_NEEDS_SCOPE', undefined, added.join(', ')));
  }
  return changes;
}

interface Policy {
  readonly maxAgeSeconds: number;
  readonly isPublic: boolean;
  readonly text: string;
}

function policyOf({ cache }: OperationFigures): Policy {
  const maxAgeSeconds = cache?.maxAgeSeconds ?? 0;
  const isPublic = maxAgeSeconds > 0 && cache?.isPrivate === false;
  const text =
    maxAgeSeconds > 0 ? `${isPublic ? 'public' : 'private'}, max-age=${maxAgeSeconds}` : 'no-store';
  return { maxAgeSeconds, isPublic, text };
}

/** The requirements that a caller who meets all of those before may not meet, in words; empty where there are none. */
export function addedRequirements(
  before: readonly Requirement[],
  after: readonly Requirement[],
): readonly string[] {
  const held = new Set(
    before.flatMap(({ of, sets }) =>
      sets.length === 1 ? membersOf(of, sets[0] ?? []) : sets.length === 0 ? [] : [authenticated],
    ),
  );
  return after.filter((requirement) => !isImplied(requirement, before, held)).map(({ text }) => text);
}

/** Scopes come from tokens, and policies are asked about callers with one. */
const authenticated = 'authenticated';

/**
 * True where the members that every caller has are enough, or those in any set of one requirement before, with them.
 * Requirements with alternatives are not combined, of which there can be too many: their union counts as more.
 */
function isImplied(
  { of, sets }: Requirement,
  before: readonly Requirement[],
  held: ReadonlySet<string>,
): boolean {
  const isMetBy = (members: ReadonlySet<string>): boolean =>
    sets.some((set) => membersOf(of, set).every((member) => members.has(member)));
  return (
    isMetBy(held) ||
    before.some((known) =>
      known.sets.every((set) => isMetBy(new Set([...held, ...membersOf(known.of, set)]))),
    )
  );
}

function membersOf(of: Requirement['of'], set: readonly string[]): readonly string[] {
  return [authenticated, ...set.map((name) => `${of} ${name}`)];
}
