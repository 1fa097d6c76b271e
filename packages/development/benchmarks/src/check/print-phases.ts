import { markdownTable } from '../harness/markdown-table.ts';
import { formatNumber, percentile } from '../harness/numbers.ts';
import type { PhaseCost } from './run-check.ts';

/** One Markdown table: each phase over all rounds, in seconds. Composition is left out of the sum, as Apollo's own. */
export function printPhases(rounds: readonly (readonly PhaseCost[])[]): string {
  const phases = rounds[0]?.map(({ phase }) => phase) ?? [];
  const row = (label: string, isCounted: (phase: string) => boolean): string[] => {
    const costs = rounds.map((round) => round.filter(({ phase }) => isCounted(phase)));
    const sums = (seconds: 'cpuSeconds' | 'wallSeconds'): readonly number[] =>
      costs
        .map((round) => round.reduce((sum, cost) => sum + cost[seconds], 0))
        .toSorted((one, other) => one - other);
    return [label].concat(
      [sums('cpuSeconds'), sums('wallSeconds')].flatMap((sorted) => [
        formatNumber(percentile(sorted, 0)),
        formatNumber(percentile(sorted, 0.5)),
      ]),
    );
  };
  return markdownTable(
    ['phase', 'CPU s, best', 'CPU s, median', 's, best', 's, median'],
    [
      ...phases.map((label) => row(label, (phase) => phase === label)),
      row('all but `compose`', (phase) => phase !== 'compose'),
    ],
  );
}
