/** A fetch of a plan: what `listFetches` of @meridian/executor gives, also when it has been JSON since. */
export interface DrawnFetch {
  /** From 1, in the order of the plan. */
  readonly number: number;
  readonly subgraph: string;
  readonly operationKind: string;
  /** Where its objects are; absent for the root. */
  readonly target?: string | undefined;
  /** The key that an object is looked up by; absent for the root. */
  readonly lookup?: string | undefined;
  /** The names of the fields that it supplies. */
  readonly fields: readonly string[];
  /** The numbers of the fetches that it waits for. */
  readonly after: readonly number[];
  /** From 1. */
  readonly round: number;
  /** A fetch that is the same request if its objects are the same. */
  readonly sameAs?: number | undefined;
}

/** A fetch as a run of the plan sent it. */
export interface FetchRun {
  /** After the request began. */
  readonly startMs: number;
  /** Absent where it had not ended when the request had. */
  readonly durationMs?: number | undefined;
  /** The number of requested entities; absent for root fields. */
  readonly entities?: number | undefined;
  /** `ok`, or what went wrong. */
  readonly outcome: string;
}
