/** The kind of an outage: killed at once, stopped in order, or unresponsive. */
export type OutageKind = 'killed' | 'stopped' | 'hung';

/** A period in which a service was away. */
export interface Outage {
  readonly service: string;
  readonly kind: OutageKind;
}

/** The outages of services. */
export interface Outages {
  begin(service: string, kind: OutageKind): void;
  end(service: string): void;
  /** The outages that were under way at some time since then. */
  since(startMs: number): readonly Outage[];
}

/** For this long, older connections to a restarted service may fail: a busy machine holds up a process. */
const aftermathMs = 2000;
/** Longer than any request takes. */
const keptMs = 60_000;

export function createOutages(): Outages {
  let outages: (Outage & { endMs: number })[] = [];
  return {
    begin(service, kind) {
      outages = outages.filter(({ endMs }) => endMs + keptMs > performance.now());
      outages.push({ service, kind, endMs: Number.POSITIVE_INFINITY });
    },
    end(service) {
      const now = performance.now();
      for (const outage of outages) {
        if (outage.service === service && outage.endMs > now) {
          outage.endMs = now;
        }
      }
    },
    since: (startMs) => outages.filter(({ endMs }) => endMs + aftermathMs > startMs),
  };
}
