/** When services were away. */
export interface Outages {
  onDown(name: string): void;
  onReady(name: string): void;
  /** Whether any was away at some time since then, or is away. */
  touch(sinceMs: number): boolean;
  /** How often a service came back. */
  recoveries(): number;
  /** Those that are away. */
  away(): readonly string[];
}

/** Connections to a service that is back may still fail for so long: those that were open before. */
const aftermathMs = 1000;

export function createOutages(): Outages {
  const away = new Set<string>();
  let lastEndMs = Number.NEGATIVE_INFINITY;
  let recoveries = 0;
  return {
    onDown: (name) => void away.add(name),
    onReady(name) {
      if (away.delete(name)) {
        lastEndMs = performance.now();
        recoveries += 1;
      }
    },
    touch: (sinceMs) => away.size > 0 || lastEndMs + aftermathMs > sinceMs,
    recoveries: () => recoveries,
    away: () => [...away],
  };
}
