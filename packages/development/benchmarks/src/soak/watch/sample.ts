import type { Interval } from '../load/tally.ts';
import type { Held } from './gateway-watch.ts';

/** The figures of a run from the previous sample to this one. */
export interface Sample {
  readonly atSeconds: number;
  readonly responsesPerSecond: number;
  /** Undefined without any response. */
  readonly p50Ms: number | undefined;
  readonly p99Ms: number | undefined;
  /** The errors per second, by code. */
  readonly codesPerSecond: ReadonlyMap<string, number>;
  /** Undefined while the gateway was away. */
  readonly held: Held | undefined;
}

/** @param seconds since the previous sample */
export function sampleOf(
  { responses, latenciesMs, codes }: Interval,
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
    codesPerSecond: new Map([...codes].map(([code, count]) => [code, count / seconds])),
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

/** Samples for a spreadsheet: a row for each, and a column for each error code. */
export function samplesAsCsv(samples: readonly Sample[]): string {
  const codes = [...new Set(samples.flatMap(({ codesPerSecond }) => [...codesPerSecond.keys()]))].toSorted();
  const rows = samples.map(({ atSeconds, responsesPerSecond, p50Ms, p99Ms, held, codesPerSecond }) => [
    atSeconds,
    responsesPerSecond,
    p50Ms,
    p99Ms,
    held?.heapMiB,
    held?.rssMiB,
    held?.sockets,
    held?.openFiles,
    ...codes.map((code) => codesPerSecond.get(code) ?? 0),
  ]);
  return [[...csvColumns, ...codes], ...rows.map((row) => row.map((value) => value?.toFixed(1) ?? ''))]
    .map((row) => `${row.join(',')}\n`)
    .join('');
}

/** Errors follow, by code and second. */
const csvColumns = [
  's',
  'responses/s',
  'p50 ms',
  'p99 ms',
  'heap MiB',
  'resident MiB',
  'sockets',
  'open files',
];
