import { markdownTable } from '../harness/markdown-table.ts';
import { formatNumber } from '../harness/numbers.ts';
import type { Measurement } from './measure-rounds.ts';

const stock = 'stock';
const floor = 'floor';
const hiveRouter = 'Hive Router, ';
const before = 'our gateway, before, ';

/**
 * Prints the measurements as one Markdown table: the best round of each, beside stock's, the floor's, and Hive
 * Router's and an earlier checkout's with the same sharing.
 */
export function printComparison(measurements: readonly Measurement[]): string {
  const rows = [
    ...Map.groupBy(measurements, ({ workload, contender }) => `${workload}|${contender}`).values(),
  ].map(best);
  const perCpuOf = (start: string, workload: string): number | undefined =>
    rows.find((row) => row.contender.startsWith(start) && row.workload === workload)?.perCpuSecond;
  return markdownTable(
    [
      'workload',
      'who',
      'requests / CPU s',
      '× stock',
      'of the floor',
      '× Hive Router',
      '× before',
      'requests / s',
      'p50 ms',
      'p99 ms',
      'MiB',
    ],
    rows.map(({ workload, contender, perCpuSecond, perSecond, p50Ms, p99Ms, mebibytes }) => [
      workload,
      contender,
      formatNumber(perCpuSecond),
      ratio(perCpuSecond, perCpuOf(stock, workload)),
      ratio(perCpuSecond * 100, perCpuOf(floor, workload), ' %'),
      ratio(perCpuSecond, perCpuOf(hiveRouter + sharingOf(contender), workload)),
      ratio(perCpuSecond, perCpuOf(before + sharingOf(contender), workload)),
      formatNumber(perSecond),
      formatNumber(p50Ms),
      formatNumber(p99Ms),
      mebibytes.toFixed(0),
    ]),
  );
}

/** The sharing of work among requests, in the words of Hive Router's names. */
function sharingOf(contender: string): string {
  return contender.endsWith('as shipped') ? 'as shipped' : 'nothing shared';
}

interface Row {
  readonly workload: string;
  readonly contender: string;
  readonly perCpuSecond: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly mebibytes: number;
}

/** Of several rounds the one in which others took least of the machine. */
function best(rounds: readonly Measurement[]): Row {
  const rows = rounds.map(({ workload, contender, requests, seconds, cpuSeconds, ...rest }) => ({
    workload,
    contender,
    perCpuSecond: requests / Math.max(cpuSeconds, 0.01),
    perSecond: requests / seconds,
    ...rest,
  }));
  const [first] = rows.toSorted((one, other) => other.perCpuSecond - one.perCpuSecond);
  if (first === undefined) {
    throw new Error('There is no round');
  }
  return first;
}

function ratio(value: number, of: number | undefined, unit = ''): string {
  return of === undefined ? '–' : `${formatNumber(value / of)}${unit}`;
}
