import { markdownTable } from './markdown-table.ts';
import type { Slice } from './measure-in-slices.ts';
import { formatNumber, percentile } from './numbers.ts';

export interface SliceTableOptions {
  /** The contenders that all others are compared with, each in a column. */
  readonly comparedWith: readonly string[];
  /** The name of what all contenders use. Its CPU time then counts in the ratios; without a name it is left out. */
  readonly shared?: string;
}

/**
 * One Markdown table with a row for each contender. The CPU time of a request is the median of its slices. A ratio is of
 * requests for the same CPU time: the median of the ratios within each turn, and their quartiles.
 */
export function printSlices(
  slices: ReadonlyMap<string, readonly Slice[]>,
  { comparedWith, shared }: SliceTableOptions,
): string {
  const costOf = (slice: Slice): number =>
    (slice.own + (shared === undefined ? 0 : slice.shared)) / slice.requests;
  const ratios = (name: string, reference: string): string => {
    const costs = new Map(slices.get(reference)?.map((slice) => [slice.turn, costOf(slice)]));
    const sorted = (slices.get(name) ?? [])
      .map((slice) => (costs.get(slice.turn) ?? Number.NaN) / costOf(slice))
      .toSorted(ascending);
    const [low, middle, high] = [0.25, 0.5, 0.75].map((part) => percentile(sorted, part).toFixed(2));
    return `${middle} (${low} to ${high})`;
  };
  const rows = slices.entries().map(([name, own]) => {
    const latenciesMs = own.flatMap((slice) => slice.latenciesMs).toSorted(ascending);
    const costs =
      shared === undefined
        ? [own.map(costOf)]
        : [
            own.map(costOf),
            own.map((slice) => slice.own / slice.requests),
            own.map((slice) => slice.shared / slice.requests),
          ];
    return [name].concat(
      costs.map(microseconds),
      comparedWith.map((reference) => (reference === name ? '' : ratios(name, reference))),
      formatNumber(percentile(latenciesMs, 0.5)),
      formatNumber(percentile(latenciesMs, 0.99)),
    );
  });
  const head = [
    'who',
    'CPU µs',
    ...(shared === undefined ? [] : ['its own', `of ${shared}`]),
    ...comparedWith.map((name) => `× ${name}`),
    'p50 ms',
    'p99 ms',
  ];
  return markdownTable(head, [...rows]);
}

function microseconds(seconds: readonly number[]): string {
  return formatNumber(percentile(seconds.toSorted(ascending), 0.5) * 1e6);
}

function ascending(one: number, other: number): number {
  return one - other;
}
