import process from 'node:process';

import { counted } from '@meridian/settings/command-line';

import { runDeferredDifferential } from './run-deferred-differential.ts';
import type { DifferentialReport } from './run-differential.ts';
import { runDifferential } from './run-differential.ts';

interface ReportOptions {
  readonly seed: string;
  readonly cases: number;
  /** True: operations with `@defer`. */
  readonly isDeferring: boolean;
}

/** Prints where executors differ over generated operations. The exit code is 1 when one does. */
export async function reportDifferences({ isDeferring, ...options }: ReportOptions): Promise<void> {
  process.stdout.write(`seed ${options.seed}\n`);
  await (isDeferring ? reportDeferred(options) : reportWhole(options));
}

async function reportWhole(options: Omit<ReportOptions, 'isDeferring'>): Promise<void> {
  const report = await runDifferential(options);
  print(report, [
    `${report.cases} cases over ${report.federations} federations, ${report.stockRuns} of them with stock`,
    `met in: ${describeCounts(report.exercised, ' cases')}`,
    `known faults: ${describeCounts(report.knownFaults)}`,
  ]);
}

async function reportDeferred(options: Omit<ReportOptions, 'isDeferring'>): Promise<void> {
  const report = await runDeferredDifferential(options);
  print(report, [
    `${report.cases} cases over ${report.federations} federations`,
    `met: ${describeCounts(report.exercised)}`,
  ]);
}

function print(
  { cases, differences, skipped }: Pick<DifferentialReport, 'cases' | 'differences' | 'skipped'>,
  lines: readonly string[],
): void {
  for (const difference of differences) {
    process.stdout.write(`\n${difference}\n`);
  }
  const ofFederations =
    skipped === 0 ? '' : `, ${counted(skipped, 'federation')} skipped: too large to compose`;
  const outcome = `differential: ${cases - differences.length} passed, ${differences.length} failed${ofFederations}`;
  process.stdout.write(['', ...lines, outcome, ''].join('\n'));
  process.exitCode = differences.length > 0 ? 1 : 0;
}

/** The most frequent first. */
function describeCounts(counts: ReadonlyMap<string, number>, unit = ''): string {
  const sorted = [...counts].toSorted(([, one], [, other]) => other - one);
  return sorted.map(([name, count]) => `${count}${unit} × ${name}`).join(', ') || 'nothing';
}
