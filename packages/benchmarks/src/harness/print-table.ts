import { markdownTable } from './markdown-table.ts';
import type { Measurement } from './measure-in-turn.ts';
import { formatNumber, percentile } from './numbers.ts';

export interface TableOptions {
  /** The contenders that all others are compared with, each in a column. */
  readonly comparedWith: readonly string[];
}

/** One Markdown table: the middle round of each contender, by what it answered for each second of its CPU time. */
export function printTable(measurements: readonly Measurement[], { comparedWith }: TableOptions): string {
  const rows = [...Map.groupBy(measurements, ({ contender }) => contender).values()].map(middle);
  const head = ['who', 'requests / CPU s', ...comparedWith.map((name) => `× ${name}`), 'p50 ms', 'p99 ms'];
  const lines = rows.map((row) =>
    [row.contender, formatNumber(row.perCpuSecond)].concat(
      comparedWith.map((name) => formatNumber(row.perCpuSecond / perCpuSecondOf(name, rows))),
      formatNumber(percentile(row.latenciesMs, 0.5)),
      formatNumber(percentile(row.latenciesMs, 0.99)),
    ),
  );
  return markdownTable(head, lines);
}

interface Row {
  readonly contender: string;
  readonly perCpuSecond: number;
  readonly latenciesMs: readonly number[];
}

/** The median: a round that something else disturbed, or spared, is at an end. */
function middle(rounds: readonly Measurement[]): Row {
  const rows = rounds
    .map(({ contender, requests, cpuSeconds, latenciesMs }) => ({
      contender,
      perCpuSecond: requests / Math.max(cpuSeconds, 0.01),
      latenciesMs: latenciesMs.toSorted((one, other) => one - other),
    }))
    .toSorted((one, other) => one.perCpuSecond - other.perCpuSecond);
  const row = rows[Math.floor(rows.length / 2)];
  if (row === undefined) {
    throw new Error('There is no round');
  }
  return row;
}

function perCpuSecondOf(contender: string, rows: readonly Row[]): number {
  return rows.find((row) => row.contender === contender)?.perCpuSecond ?? Number.NaN;
}
