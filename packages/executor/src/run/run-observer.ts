import type { OperationKind, OperationPlan } from '../plan/plan.ts';

/** Follows a run, for a trace or a record of it. Most runs have none, and pay nothing for it. */
export interface RunObserver {
  /** The plan is there: it was found, or has just been made. */
  onPlan(plan: OperationPlan): void;
  /** A request to a subgraph goes out. Equal fetches of a run are one request. */
  onFetch(fetch: ObservedFetch): FetchObserver;
}

export interface ObservedFetch {
  readonly subgraph: string;
  readonly operationKind: OperationKind;
  readonly operationName: string | undefined;
  /** The number of requested entities; undefined for root fields. */
  readonly entityCount: number | undefined;
}

/** Follows one request to a subgraph. */
export interface FetchObserver {
  /** Header fields of the request, in addition to the header fields of the run. */
  readonly headers: Readonly<Record<string, string>>;
  /** The answer is there and can be used, with as many errors as the subgraph reported. */
  onResponse(errorCount: number): void;
  onFailure(error: unknown): void;
}
