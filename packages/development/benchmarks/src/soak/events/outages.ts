/** A period in which a service was away: killed at once, stopped in order, or unresponsive. */
export interface Outage {
  readonly service: string;
  readonly kind: 'killed' | 'stopped' | 'hung';
}

/** For this long, older connections to a restarted service may fail: a busy machine holds up a process. */
const aftermathMs = 2000;
/** Longer than any request takes. */
const keptMs = 60_000;

/** The outages of services. */
export class Outages {
  #outages: (Outage & { endMs: number })[] = [];

  begin(service: string, kind: Outage['kind']): void {
    this.#outages = this.#outages.filter(({ endMs }) => endMs + keptMs > performance.now());
    this.#outages.push({ service, kind, endMs: Number.POSITIVE_INFINITY });
  }

  end(service: string): void {
    const now = performance.now();
    for (const outage of this.#outages) {
      if (outage.service === service && outage.endMs > now) {
        outage.endMs = now;
      }
    }
  }

  /** The outages that were under way at some time since then. */
  since(startMs: number): readonly Outage[] {
    return this.#outages.filter(({ endMs }) => endMs + aftermathMs > startMs);
  }

  /** True while the service is away, and shortly after. */
  includes(service: string): boolean {
    return this.since(performance.now()).some((outage) => outage.service === service);
  }
}
