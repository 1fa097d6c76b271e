import type { Interval } from '../load/tally.ts';
import type { Held } from './gateway-watch.ts';

/** The figures of a run from the previous sample to this one. */
export interface Sample {
  readonly atSeconds: number;
  readonly responsesPerSecond: number;
  /** Undefined without any response. */
  readonly p50Ms: number | undefined;
  readonly p99Ms: number | undefined;
  /** Undefined while the gateway was away. */
  readonly held: Held | undefined;
}

/** @param seconds since the previous sample */
export function sampleOf(
  { responses, latenciesMs }: Interval,
  {
    atSeconds,
    seconds,
    held,
  }: { readonly atSeconds: number; readonly seconds: number; readonly held: Held | undefined },
): Sample {
  const sorted = latenciesMs.toSorted((one, other) => one - other);
  const quantile = (part: number): number | undefined => sorted[Math.floor(sorted.length * part)];
  return {
    atSeconds,
    responsesPerSecond: responses / seconds,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    held,
  };
}

/** A sample as a line of the report. */
export function describeSample({ atSeconds, responsesPerSecond, p50Ms, p99Ms, held }: Sample): string {
  return [
    `${atSeconds.toFixed(0)} s`.padStart(7),
    `${responsesPerSecond.toFixed(0)} responses/s`.padEnd(14),
    `p50 ${inMs(p50Ms)}`.padEnd(11),
    `p99 ${inMs(p99Ms)}`.padEnd(13),
    held === undefined
      ? 'no gateway'
      : `heap ${held.heapMiB.toFixed(1)} MiB  rss ${held.rssMiB.toFixed(0)} MiB  ${held.sockets} sockets`,
  ].join('  ');
}

function inMs(value: number | undefined): string {
  return value === undefined ? '–' : `${value.toFixed(0)} ms`;
}
