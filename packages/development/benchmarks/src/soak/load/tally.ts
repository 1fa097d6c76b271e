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
  /** The number of errors by code. */
  readonly codes: ReadonlyMap<string, number>;
}

export type Count = 'right' | 'partial' | 'rejected' | 'lost' | 'hungUp' | 'triedAgain';

export interface Tally {
  count(what: Count): void;
  fault(text: string): void;
  response(latencyMs: number, codes: readonly string[]): void;
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
  let codes = new Map<string, number>();
  return {
    count: (what) => void (counts[what] += 1),
    fault: (text) => void faults.set(text, (faults.get(text) ?? 0) + 1),
    response(latencyMs, responded) {
      latenciesMs.push(latencyMs);
      for (const code of responded) {
        codes.set(code, (codes.get(code) ?? 0) + 1);
      }
    },
    totals: () => ({ ...counts, faults }),
    takeInterval() {
      const interval = { responses: latenciesMs.length, latenciesMs, codes };
      latenciesMs = [];
      codes = new Map();
      return interval;
    },
  };
}
