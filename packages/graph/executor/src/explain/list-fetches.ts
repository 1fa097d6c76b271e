import type { SelectionSetNode } from 'graphql';
import { Kind } from 'graphql';

import type {
  FetchStep,
  OperationKind,
  OperationPlan,
  PathStep,
  PlanStep,
  RequiredSelection,
} from '../plan/plan.ts';
import { responseSelections } from '../selections/response-fields.ts';
import type { SelectionSet } from '../operation/selection.ts';

/** A fetch of a plan as plain data, for drawings and other programs. It has no value of a variable. */
export interface PlannedFetch {
  /** In the order of the plan, from 1. */
  readonly number: number;
  readonly subgraph: string;
  readonly operationKind: OperationKind;
  /** Where its objects are, as in `media.next (Book, Film)`; absent for the root. */
  readonly target?: string | undefined;
  /** The key that an object is looked up by, as in `Product { id price }`; absent for the root. */
  readonly lookup?: string | undefined;
  /** The names of the fields that it supplies, at the top of its response or of each entity. */
  readonly fields: readonly string[];
  /** The numbers of the fetches that it waits for. */
  readonly after: readonly number[];
  /** From 1: one more than the last of those that it waits for. */
  readonly round: number;
  /** The number of the deferred fragment that waits for it, from 0; absent where the first result does. */
  readonly fragment?: number | undefined;
  /** The first fetch that is the same request if its objects are the same. */
  readonly sameAs?: number | undefined;
}

/** The fetches of a plan, in its order, with the ones that each waits for. */
export function listFetches(plan: OperationPlan): readonly PlannedFetch[] {
  return [...fetchesByStep(plan).values()];
}

export function fetchesByStep({ root, order }: OperationPlan): ReadonlyMap<FetchStep, PlannedFetch> {
  const fetches = new Map<FetchStep, PlannedFetch>();
  const roundOf: number[] = [0];
  const firstByRequest = new Map<string, number>();

  /** Lists the fetches of a step that waits for others; the result is what a later step waits for. */
  const list = (step: PlanStep, after: readonly number[]): readonly number[] => {
    if (step.kind === 'parallel') {
      return step.steps.flatMap((part) => list(part, after));
    }
    if (step.kind === 'sequence') {
      return step.steps.reduce((before, part) => list(part, before), after);
    }
    add(step, after);
    return [fetches.size];
  };

  const add = (step: FetchStep, after: readonly number[], fragment?: number): void => {
    const { subgraph, operationKind, text, path } = step;
    const number = fetches.size + 1;
    const round = 1 + Math.max(0, ...after.map((earlier) => roundOf[earlier] ?? 0));
    roundOf[number] = round;
    const request = `${subgraph} ${text}`;
    // A repeated mutation is meant to run repeatedly.
    const sameAs = operationKind === 'query' ? firstByRequest.get(request) : undefined;
    firstByRequest.set(request, sameAs ?? number);
    const names = new Set(responseSelections(step).flatMap(namesIn));
    names.delete('__typename');
    fetches.set(step, {
      number,
      subgraph,
      operationKind,
      target: targetOf(path),
      lookup: lookupOf(step),
      fields: [...names],
      after,
      round,
      ...(fragment !== undefined && { fragment }),
      sameAs,
    });
  };

  if (order !== undefined) {
    for (const { fetch, after, fragment } of order) {
      add(
        fetch,
        after.flatMap((earlier) => fetches.get(earlier)?.number ?? []),
        fragment,
      );
    }
  } else if (root !== undefined) {
    list(root, []);
  }
  return fetches;
}

/** The names of fields of a selection set, those under type conditions included. */
function namesIn({ selections }: SelectionSetNode): readonly string[] {
  return selections.flatMap((selection) =>
    selection.kind === Kind.INLINE_FRAGMENT ? namesIn(selection.selectionSet) : [selection.name.value],
  );
}

function targetOf(path: readonly PathStep[]): string | undefined {
  if (path.length === 0) {
    return undefined;
  }
  const names = path.map(({ name }) => name).filter((name) => name !== '');
  const types = path.at(-1)?.types;
  return `${names.join('.')}${types === undefined ? '' : ` (${types.join(', ')})`}`;
}

function lookupOf({ requires }: FetchStep): string | undefined {
  return requires && [...new Set(requires.map(describe))].join(', ');
}

function describe(selection: RequiredSelection): string {
  const below = [...new Set((selection.selections ?? []).filter(isTelling).map(describe))].join(' ');
  const name = selection.kind === 'field' ? selection.name : (selection.typeCondition ?? '');
  return below === '' ? name : `${name} { ${below} }`.trim();
}

/** Every representation has a `__typename`. */
function isTelling(selection: RequiredSelection): boolean {
  return selection.kind === 'fragment' || selection.name !== '__typename';
}

/** A deferred fragment of an operation, for people. */
export interface DeferredFragmentOfPlan {
  readonly number: number;
  /** The number of the deferred fragment around it. */
  readonly inside: number | undefined;
  /** As in `"reviews" at books.author`: its label, where it has one, and the fields that lead to it. */
  readonly title: string;
}

/** The deferred fragments of an operation, in its order. */
export function deferredFragments(selections: SelectionSet): readonly DeferredFragmentOfPlan[] {
  const found: DeferredFragmentOfPlan[] = [];
  const walk = (set: SelectionSet, place: readonly string[], inside: number | undefined): void => {
    for (const selection of set) {
      if (selection.kind === 'field') {
        walk(selection.selections, [...place, selection.responseName], inside);
      } else if (selection.deferral === undefined) {
        walk(selection.selections, place, inside);
      } else {
        const { number, label } = selection.deferral;
        const name = label === undefined ? '' : `"${label}" `;
        found.push({ number, inside, title: `${name}at ${place.join('.') || 'the root'}` });
        walk(selection.selections, place, number);
      }
    }
  };
  walk(selections, [], undefined);
  return found.toSorted((one, other) => one.number - other.number);
}
