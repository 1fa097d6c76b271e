import type { SelectionSetNode } from 'graphql';
import { Kind } from 'graphql';

import type { OperationKind, OperationPlan, PlanStep } from '../plan/plan.ts';
import { responseSelections } from '../selections/response-selections.ts';
import { explainFetches } from './explained-fetch.ts';

/** A fetch of a plan as plain data, for drawings and other programs. It has no value of a variable. */
export interface PlannedFetch {
  /** In the order of the plan, from 1. */
  readonly number: number;
  readonly subgraph: string;
  readonly operationKind: OperationKind;
  /** Where its objects are, as in `media.next (Book, Film)`; undefined for the root. */
  readonly target: string | undefined;
  /** The key that an object is looked up by, as in `Product { id price }`; undefined for the root. */
  readonly lookup: string | undefined;
  /** The names of the fields that it supplies, at the top of its response or of each entity. */
  readonly fields: readonly string[];
  /** The numbers of the fetches that it waits for. */
  readonly after: readonly number[];
  /** From 1: one more than the last of those that it waits for. */
  readonly round: number;
  /** The first fetch that is the same request if its objects are the same. */
  readonly sameAs: number | undefined;
}

/** The fetches of a plan, in its order, with the ones that each waits for. */
export function listFetches(plan: OperationPlan): readonly PlannedFetch[] {
  const explained = explainFetches(plan);
  const fetches: PlannedFetch[] = [];

  /** Lists the fetches of a step that waits for others; the result is what a later step waits for. */
  const list = (step: PlanStep, after: readonly number[]): readonly number[] => {
    if (step.kind === 'parallel') {
      return step.steps.flatMap((part) => list(part, after));
    }
    if (step.kind === 'sequence') {
      return step.steps.reduce((before, part) => list(part, before), after);
    }
    const fetch = explained.get(step);
    if (fetch === undefined) {
      return after;
    }
    const { number, target, lookup, sameAs } = fetch;
    const { subgraph, operationKind } = step;
    const rounds = after.map((earlier) => fetches[earlier - 1]?.round ?? 0);
    const round = 1 + Math.max(0, ...rounds);
    const fields = [...new Set(responseSelections(step).flatMap(namesIn))].filter(
      (name) => name !== '__typename',
    );
    fetches.push({ number, subgraph, operationKind, target, lookup, fields, after, round, sameAs });
    return [number];
  };

  if (plan.root !== undefined) {
    list(plan.root, []);
  }
  return fetches;
}

/** The names of fields of a selection set, those under type conditions included. */
export function namesIn({ selections }: SelectionSetNode): readonly string[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      return namesIn(selection.selectionSet);
    }
    return [selection.name.value];
  });
}
