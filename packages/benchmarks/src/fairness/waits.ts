import { markdownTable } from '../harness/markdown-table.ts';
import { formatNumber, percentile } from '../harness/numbers.ts';

/** The times that clients waited for their responses, in milliseconds. */
export interface Waits {
  readonly responses: number;
  readonly p50: number;
  readonly p99: number;
}

export function waitsOf(latenciesMs: readonly number[]): Waits {
  const sorted = latenciesMs.toSorted((one, other) => one - other);
  return { responses: sorted.length, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) };
}

/**
 * A Markdown table with a line for each round, and the medians. Ratios are of one round: the machine is the same for
 * both.
 */
export function printWaits(rounds: readonly { readonly alone: Waits; readonly beside: Waits }[]): string {
  const rows = rounds.map(({ alone, beside }) => [
    alone.responses,
    alone.p50,
    alone.p99,
    beside.responses,
    beside.p50,
    beside.p99,
    beside.p50 / alone.p50,
    beside.p99 / alone.p99,
  ]);
  const medians = (rows[0] ?? []).map((_, column) =>
    percentile(
      rows.map((row) => row[column] ?? Number.NaN).toSorted((one, other) => one - other),
      0.5,
    ),
  );
  const named: (readonly [string, readonly number[]])[] = [
    ...rows.map((row, index) => [`${index + 1}`, row] as const),
    ['**median**', medians],
  ];
  return markdownTable(
    [
      'round',
      'alone',
      'p50 ms',
      'p99 ms',
      'beside the noise',
      'p50 ms',
      'p99 ms',
      'p50, times',
      'p99, times',
    ],
    named.map(([name, values]) => [name].concat(values.map(formatNumber))),
  );
}
