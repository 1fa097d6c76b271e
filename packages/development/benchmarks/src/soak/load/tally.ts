export type Totals = Tally['counts'] & Pick<Tally, 'faults'>;

/** The clients' observations since the start. */
export class Tally {
  readonly counts = {
    /** Correct responses. */
    right: 0,
    /** Of these, partial responses while a service was away. */
    partial: 0,
    /** Of these, expected rejections. */
    rejected: 0,
    /** Requests that were lost with a killed service. */
    lost: 0,
    hungUp: 0,
    /** Refused connections while a service was away; their requests were sent again. */
    triedAgain: 0,
  };
  /** The faults, with their numbers. */
  readonly faults = new Map<string, number>();
  #latenciesMs: number[] = [];

  count(what: keyof Tally['counts']): void {
    this.counts[what] += 1;
  }

  fault(text: string): void {
    this.faults.set(text, (this.faults.get(text) ?? 0) + 1);
  }

  response(latencyMs: number): void {
    this.#latenciesMs.push(latencyMs);
  }

  totals(): Totals {
    return { ...this.counts, faults: this.faults };
  }

  /** Returns the latencies of the responses since the last call. */
  takeLatencies(): readonly number[] {
    const latenciesMs = this.#latenciesMs;
    this.#latenciesMs = [];
    return latenciesMs;
  }
}
