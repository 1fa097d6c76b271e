import { fetchesOf } from '../plan/fetches-of.ts';
import type { FetchStep, OperationPlan, PathStep, RequiredSelection } from '../plan/plan.ts';

/** A fetch of a plan, in words. */
export interface ExplainedFetch {
  readonly step: FetchStep;
  /** In the order of the plan, from 1. */
  readonly number: number;
  /** Where its objects are, as in `media.next (Book, Film)`; undefined for the root. */
  readonly target: string | undefined;
  /** The key that an object is looked up by, as in `Product { id price }`; undefined for the root. */
  readonly lookup: string | undefined;
  /** The first fetch that is the same request if its objects are the same. */
  readonly sameAs: number | undefined;
}

/** Explains the fetches of a plan. */
export function explainFetches({ root }: OperationPlan): ReadonlyMap<FetchStep, ExplainedFetch> {
  const firstByRequest = new Map<string, number>();
  return new Map(
    fetchesOf(root).map((step, index) => {
      const number = index + 1;
      const request = `${step.subgraph} ${step.text}`;
      // A repeated mutation is meant to run repeatedly.
      const sameAs = step.operationKind === 'query' ? firstByRequest.get(request) : undefined;
      firstByRequest.set(request, sameAs ?? number);
      return [step, { step, number, target: targetOf(step.path), lookup: lookupOf(step), sameAs }];
    }),
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
