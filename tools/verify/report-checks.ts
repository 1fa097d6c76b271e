import { availableParallelism } from 'node:os';
import process from 'node:process';
import { styleText } from 'node:util';

import { runChecks } from './run-checks.ts';
import type { Check } from './run-checks.ts';

/**
 * Runs checks: a line for each as it ends; after them, in full, what the failing ones printed. The last line is
 * `verify: 7 passed, 1 failed`.
 */
export async function reportChecks(name: string, checks: readonly Check[]): Promise<void> {
  const outcomes = await runChecks(checks, Math.min(2, availableParallelism()), (outcome) => {
    const mark = outcome.passed ? styleText('green', '✓') : styleText('red', '✗');
    console.log(`${mark} ${outcome.name.padEnd(16)}${outcome.seconds.toFixed(1).padStart(6)} s`);
  });
  const failed = outcomes.filter((outcome) => !outcome.passed);
  for (const outcome of failed) {
    console.log(`\n${styleText('bold', `── ${outcome.name}`)}\n${outcome.output.trim()}`);
  }
  console.log(`\n${name}: ${outcomes.length - failed.length} passed, ${failed.length} failed`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}
