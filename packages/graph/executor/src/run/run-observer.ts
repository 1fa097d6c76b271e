import type { FetchStep, OperationKind, OperationPlan } from '../plan/plan.ts';

/** Follows a run, for a trace or a record. Most runs have no observer, and no cost for it. */
export interface RunObserver {
  /** The plan is available: it was cached, or has just been made. */
  onPlan(plan: OperationPlan): void;
  /** A subrequest is sent. Equal fetches of a run share one. */
  onFetch(fetch: ObservedFetch): FetchObserver;
  /** An event of a subscription is there, and the rest of the plan runs for it. */
  onEvent?(): void;
}

export interface ObservedFetch {
  /** The step of the plan; undefined where another executor runs it. */
  readonly step: FetchStep | undefined;
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
  /** A usable response arrived, with this number of reported errors. */
  onResponse(errorCount: number): void;
  onFailure(error: unknown): void;
}
