import process from 'node:process';

import { runDifferential } from './run-differential.ts';

/** Prints where executors differ over generated operations. The exit code is 1 when one does. */
export async function reportDifferences(options: {
  readonly seed: string;
  readonly cases: number;
}): Promise<void> {
  process.stdout.write(`seed ${options.seed}\n`);
  const report = await runDifferential(options);
  for (const difference of report.differences) {
    process.stdout.write(`\n${difference}\n`);
  }
  process.stdout.write(
    [
      `\n${report.cases} cases over ${report.federations} federations, ${report.stockRuns} of them with stock`,
      `met in: ${describeCounts(report.exercised, ' cases')}`,
      `known faults: ${describeCounts(report.knownFaults)}`,
      `differential: ${report.cases - report.differences.length} passed, ${report.differences.length} failed`,
      '',
    ].join('\n'),
  );
  process.exitCode = report.differences.length > 0 ? 1 : 0;
}

/** The most frequent first. */
function describeCounts(counts: ReadonlyMap<string, number>, unit = ''): string {
  const sorted = [...counts].toSorted(([, one], [, other]) => other - one);
  return sorted.map(([name, count]) => `${count}${unit} × ${name}`).join(', ') || 'nothing';
}
