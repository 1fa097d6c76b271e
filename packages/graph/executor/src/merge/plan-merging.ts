import { fetchesOf } from '../plan/plan-steps.ts';
import type { FetchStep, PlanStep } from '../plan/plan.ts';
import type { MergedRequest } from './merged-request.ts';
import { canMerge, mergeRequests } from './merged-request.ts';
import type { MergedSubgraphs } from './merged-subgraphs.ts';

/** The requests that the runs of a plan merge. */
export interface PlanMerging {
  readonly isMergeable: (step: FetchStep) => boolean;
  /** The request for fetches that are sent at the same time; undefined where each is to be sent alone. */
  requestFor(subgraph: string, steps: readonly FetchStep[]): MergedRequest | undefined;
  /** Called after each merged request. */
  noteSplit(subgraph: string, wasSplit: boolean): void;
}

/** Of one plan: the data decides which fetches meet in a round. */
const maxMergedRequests = 100;

/** Undefined for a plan without fetches that can be sent together. */
export function mergingOf(root: PlanStep | undefined, subgraphs: MergedSubgraphs): PlanMerging | undefined {
  const mergeable = new Set<FetchStep>();
  addMergeable(root, subgraphs, mergeable);
  if (mergeable.size === 0) {
    return undefined;
  }
  const numbers = new Map([...mergeable].map((step, number) => [step, number]));
  const requests = new Map<string, MergedRequest | undefined>();
  return {
    isMergeable: (step) => mergeable.has(step),
    requestFor(subgraph, steps) {
      if (!subgraphs.mayMerge(subgraph)) {
        return undefined;
      }
      const key = steps.map((step) => numbers.get(step)).join();
      if (!requests.has(key) && requests.size < maxMergedRequests) {
        requests.set(key, mergeRequests(steps));
      }
      return requests.get(key);
    },
    noteSplit: subgraphs.noteSplit,
  };
}

/** Adds the fetches that may be sent at the same time as another one to their subgraph. */
function addMergeable(
  step: PlanStep | undefined,
  subgraphs: MergedSubgraphs,
  mergeable: Set<FetchStep>,
): void {
  if (step === undefined || step.kind === 'fetch') {
    return;
  }
  step.steps.forEach((child) => addMergeable(child, subgraphs, mergeable));
  if (step.kind === 'sequence') {
    return;
  }
  const branches = step.steps.map((branch) =>
    fetchesOf(branch).filter((fetch) => subgraphs.isMerged(fetch.subgraph) && canMerge(fetch)),
  );
  const branchesOf = (subgraph: string): number =>
    branches.filter((branch) => branch.some((fetch) => fetch.subgraph === subgraph)).length;
  for (const fetch of branches.flat()) {
    if (branchesOf(fetch.subgraph) > 1) {
      mergeable.add(fetch);
    }
  }
}
