/** The clients' observations since the start. */
export interface Totals {
  /** Correct responses. */
  readonly right: number;
  /** Of these, partial responses while a service was away. */
  readonly partial: number;
  /** Of these, expected rejections. */
  readonly rejected: number;
  /** Requests that were lost with a killed service. */
  readonly lost: number;
  readonly hungUp: number;
  /** Refused connections while a service was away; their requests were sent again. */
  readonly triedAgain: number;
  /** The faults, with their numbers. */
  readonly faults: ReadonlyMap<string, number>;
}

/** The clients' observations in an interval. */
export interface Interval {
  readonly responses: number;
  readonly latenciesMs: readonly number[];
}

export type Count = 'right' | 'partial' | 'rejected' | 'lost' | 'hungUp' | 'triedAgain';

export interface Tally {
  count(what: Count): void;
  fault(text: string): void;
  response(latencyMs: number): void;
  totals(): Totals;
  /** Returns the observations since the last call. */
  takeInterval(): Interval;
}

export function createTally(): Tally {
  const counts: Record<Count, number> = {
    right: 0,
    partial: 0,
    rejected: 0,
    lost: 0,
    hungUp: 0,
    triedAgain: 0,
  };
  const faults = new Map<string, number>();
  let latenciesMs: number[] = [];
  return {
    count: (what) => void (counts[what] += 1),
    fault: (text) => void faults.set(text, (faults.get(text) ?? 0) + 1),
    response: (latencyMs) => void latenciesMs.push(latencyMs),
    totals: () => ({ ...counts, faults }),
    takeInterval() {
      const interval = { responses: latenciesMs.length, latenciesMs };
      latenciesMs = [];
      return interval;
    },
  };
}
