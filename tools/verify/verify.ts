import { availableParallelism } from 'node:os';
import process from 'node:process';
import { styleText } from 'node:util';

import { runChecks } from './run-checks.ts';
import type { Outcome } from './run-checks.ts';

/** Scripts of package.json; the slow ones first, so that none of them runs alone at the end. */
export const scripts = [
  'types',
  'regexes:check',
  'release:check',
  'structure',
  'lint',
  'compose:check',
  'manifest:check',
  'apps:check',
  'docker:check',
  'charts:check',
  'licences:check',
  'workflows:check',
  'format:check',
  'prose',
  'rules',
];

/** Runs the checks: a line for each as it ends; after them, in full, what the failing ones printed. */
export async function verify(): Promise<void> {
  const outcomes = await runChecks(
    scripts.map((script) => ({ name: script, command: 'pnpm', arguments: ['run', script] })),
    {
      atOnce: Math.min(2, availableParallelism()),
      environment: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
      onOutcome: printLine,
    },
  );
  const failed = outcomes.filter((outcome) => !outcome.passed);
  for (const { name, output } of failed) {
    console.log(`\n${styleText('bold', `── ${name}`)}\n${output.trim()}`);
  }
  console.log(`\nverify: ${outcomes.length - failed.length} passed, ${failed.length} failed`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

function printLine({ name, passed, seconds }: Outcome): void {
  const mark = passed ? styleText('green', '✓') : styleText('red', '✗');
  console.log(`${mark} ${name.padEnd(16)}${seconds.toFixed(1).padStart(6)} s`);
}
