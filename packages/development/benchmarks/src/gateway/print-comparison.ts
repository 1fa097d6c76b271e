import { markdownTable } from '../harness/markdown-table.ts';
import { formatNumber } from '../harness/numbers.ts';
import type { Measurement } from './measure-rounds.ts';

const stock = 'stock';
const floor = 'floor';
const hiveRouter = 'Hive Router, ';
const before = 'our gateway, before, ';
const guarded = ', guarded: ';
const none = '–';

/**
 * Prints the measurements as one Markdown table: the best round of each and the median of its rounds, beside stock's,
 * the floor's, Hive Router's and an earlier checkout's with the same sharing, and its own without guards. Columns
 * without a number are left out.
 */
export function printComparison(measurements: readonly Measurement[]): string {
  const rows = [
    ...Map.groupBy(measurements, ({ workload, contender }) => `${workload}|${contender}`).values(),
  ].map(best);
  const perCpuOf = (start: string, workload: string): number | undefined =>
    rows.find((row) => row.contender.startsWith(start) && row.workload === workload)?.perCpuSecond;
  const columns: readonly (readonly [heading: string, cell: (row: Row) => string])[] = [
    ['workload', ({ workload }) => workload],
    ['who', ({ contender }) => contender],
    ['requests / CPU s', ({ perCpuSecond }) => formatNumber(perCpuSecond)],
    ['median', ({ median }) => formatNumber(median)],
    ['× stock', ({ perCpuSecond, workload }) => ratio(perCpuSecond, perCpuOf(stock, workload))],
    [
      'of the floor',
      ({ perCpuSecond, workload }) => ratio(perCpuSecond * 100, perCpuOf(floor, workload), ' %'),
    ],
    [
      '× Hive Router',
      ({ perCpuSecond, workload, contender }) =>
        ratio(perCpuSecond, perCpuOf(hiveRouter + comparedBy(contender), workload)),
    ],
    [
      '× before',
      ({ perCpuSecond, workload, contender }) =>
        ratio(perCpuSecond, perCpuOf(before + comparedBy(contender), workload)),
    ],
    [
      'of unguarded',
      ({ perCpuSecond, workload, contender }) => {
        const [who, guards] = contender.split(guarded);
        return ratio(
          perCpuSecond,
          guards === undefined ? undefined : perCpuOf(`${who}${guarded}none`, workload),
        );
      },
    ],
    ['requests / s', ({ perSecond }) => formatNumber(perSecond)],
    ['p50 ms', ({ p50Ms }) => formatNumber(p50Ms)],
    ['p99 ms', ({ p99Ms }) => formatNumber(p99Ms)],
    ['MiB', ({ mebibytes }) => mebibytes.toFixed(0)],
  ];
  const filled = columns.filter(([, cell]) => rows.some((row) => cell(row) !== none));
  return markdownTable(
    filled.map(([heading]) => heading),
    rows.map((row) => filled.map(([, cell]) => cell(row))),
  );
}

/** The sharing of work among requests, or the guards, in the words of Hive Router's names. */
function comparedBy(contender: string): string {
  const [, guards] = contender.split(guarded);
  if (guards !== undefined) {
    return `guarded: ${guards}`;
  }
  return contender.endsWith('as shipped') ? 'as shipped' : 'nothing shared';
}

interface Row {
  readonly workload: string;
  readonly contender: string;
  readonly perCpuSecond: number;
  /** Of the rounds, as `perCpuSecond`. */
  readonly median: number;
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
  const sorted = rows.toSorted((one, other) => other.perCpuSecond - one.perCpuSecond);
  const [first] = sorted;
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (first === undefined || middle === undefined) {
    throw new Error('There is no round');
  }
  return { ...first, median: middle.perCpuSecond };
}

function ratio(value: number, of: number | undefined, unit = ''): string {
  return of === undefined ? none : `${formatNumber(value / of)}${unit}`;
}
