import { markdownTable } from '../../harness/markdown-table.ts';
import { formatNumber } from '../../harness/numbers.ts';
import type { Measurement } from '../measure-rounds.ts';
import type { Workload } from '../workload.ts';
import { stageNames } from './busy-time.ts';

/** The contenders' roles in the measurements. */
export interface Cornerstones {
  readonly executor: string;
  readonly whole: string;
}

/** The middle one of several values, and the middle half of them. */
interface Middle {
  readonly median: number;
  readonly from: number;
  readonly to: number;
}

/**
 * One Markdown table: the CPU time that a request takes each variant, beside what it takes others in the same round,
 * since the machine is not equally fast in all rounds. The middle round counts, and the middle half of the rounds is
 * shown.
 */
export function printVariants(
  measurements: readonly Measurement[],
  { executor, whole }: Cornerstones,
): string {
  const rows = Array.from(Map.groupBy(measurements, ({ workload }) => workload).entries()).flatMap(
    ([workload, ofWorkload]) => {
      const byContender = Map.groupBy(ofWorkload, ({ contender }) => contender);
      const ofWhole = byContender.get(whole) ?? [];
      const ofExecutor = byContender.get(executor) ?? [];
      return Array.from(byContender, ([contender, rounds]) => [
        workload,
        contender,
        formatNumber(middleOf(rounds.map(microsecondsOf)).median),
        contender === executor ? '–' : percent(middleOf(ratios(ofExecutor, rounds))),
        contender === whole ? '–' : percent(middleOf(ratios(rounds, ofWhole).map((ratio) => 1 - ratio))),
      ]);
    },
  );
  return markdownTable(
    ['workload', 'who', 'CPU µs a request', "of the executor's throughput", 'takes less than the whole by'],
    rows,
  );
}

/** One Markdown table: the part of the busy time that each stage takes, by workload. */
export function printShares(shares: ReadonlyMap<Workload, ReadonlyMap<string, number>>): string {
  const workloads = [...shares.keys()];
  return markdownTable(
    ['part of the busy time of the whole pipeline', ...workloads.map(({ name }) => name)],
    stageNames.map((stage) =>
      [stage].concat(workloads.map((workload) => shareOf(stage, shares.get(workload)))),
    ),
  );
}

function shareOf(stage: string, shares: ReadonlyMap<string, number> | undefined): string {
  return `${(100 * (shares?.get(stage) ?? 0)).toFixed(1)} %`;
}

function microsecondsOf({ cpuSeconds, requests }: Measurement): number {
  return (cpuSeconds * 1e6) / Math.max(1, requests);
}

/** The ratio of each round's CPU time to the others' in the same round. */
function ratios(rounds: readonly Measurement[], others: readonly Measurement[]): readonly number[] {
  const byRound = new Map(others.map((other) => [other.round, other]));
  return rounds.flatMap((measurement) => {
    const other = byRound.get(measurement.round);
    return other === undefined ? [] : [microsecondsOf(measurement) / microsecondsOf(other)];
  });
}

function middleOf(values: readonly number[]): Middle {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (part: number): number => sorted[Math.round((sorted.length - 1) * part)] ?? Number.NaN;
  return { median: at(0.5), from: at(0.25), to: at(0.75) };
}

function percent({ median, from, to }: Middle): string {
  const [middle, low, high] = [median, from, to].map((value) => (value * 100).toFixed(0));
  return `${middle} % (${low} to ${high})`;
}
