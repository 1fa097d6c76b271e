import type { SamplingDecision } from '../trace-context.ts';

export interface SamplerOptions {
  /** The share of traces that is recorded, from 0 to 1. */
  readonly ratio: number;
  /** True if a caller's trace is recorded exactly when the caller records it. */
  readonly isParentBased: boolean;
}

/**
 * Creates the sampling decision of traces. The decision is a function of the trace id, so that all processes with the
 * same share record the same traces.
 */
export function createSampler({ ratio, isParentBased }: SamplerOptions): SamplingDecision {
  const bound = ratio * 2 ** 32;
  return (traceId, isSampledByParent) =>
    isParentBased && isSampledByParent !== undefined
      ? isSampledByParent
      : Number.parseInt(traceId.slice(-8), 16) < bound;
}
