/** The clients' observations since the start. */
export interface Totals {
  /** Answers that were as they should be. */
  readonly right: number;
  /** Of these, the partial ones while a service was away. */
  readonly partial: number;
  /** Of these, the refusals of what must be refused. */
  readonly refused: number;
  /** Requests whose service was killed while it had them. */
  readonly lost: number;
  readonly hungUp: number;
  /** Connections that were refused while a service was away; the request was sent again. */
  readonly triedAgain: number;
  /** The faults, with their numbers. */
  readonly faults: ReadonlyMap<string, number>;
}

/** The clients' observations in an interval. */
export interface Interval {
  readonly responses: number;
  readonly latenciesMs: readonly number[];
  /** The codes of errors, with how often there were. */
  readonly codes: ReadonlyMap<string, number>;
}

export type Count = 'right' | 'partial' | 'refused' | 'lost' | 'hungUp' | 'triedAgain';

export interface Tally {
  count(what: Count): void;
  fault(text: string): void;
  response(latencyMs: number, codes: readonly string[]): void;
  totals(): Totals;
  /** The observations since the last call. */
  takeInterval(): Interval;
}

export function createTally(): Tally {
  const counts: Record<Count, number> = {
    right: 0,
    partial: 0,
    refused: 0,
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
