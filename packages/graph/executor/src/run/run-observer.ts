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

/** The parts of a response that a cache had and had not: its entities, or its root fields as one. */
export interface StoredParts {
  readonly hits: number;
  readonly misses: number;
}

/** Follows one request to a subgraph. */
export interface FetchObserver {
  /** Header fields of the request, in addition to the header fields of the run. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * A usable response arrived.
   *
   * @param errorCount the number of reported errors
   * @param stored what a cache had of it; undefined where none was asked
   */
  onResponse(errorCount: number, stored?: StoredParts): void;
  onFailure(error: unknown): void;
}
