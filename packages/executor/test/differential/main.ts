// `pnpm differential --cases 200000 --seed any`: the generated comparison for as long as it takes. CI runs 20 000 cases.
import { randomUUID } from 'node:crypto';
import process from 'node:process';

import { readArgs, runCommand, wholeNumber } from '@meridian/command-line';

import { runDifferential } from './run-differential.ts';

const help = `Usage: pnpm differential [flags]

Runs generated operations over generated federations by our executor, its plain
reference and stock @apollo/gateway, and holds the answers against the data.

  --cases <n>    how many operations (20000)
  --seed <text>  generates the same cases again (a new one, which is printed)
  --help         print this

Exit code: 0 when all answers are right, 1 when not, 2 for a wrong call.`;

await runCommand({
  name: 'pnpm differential',
  help,
  read(args) {
    const { flags } = readArgs(args, {
      cases: { type: 'string', default: '20000' },
      seed: { type: 'string', default: randomUUID() },
    });
    return { seed: flags.seed, cases: wholeNumber('--cases', flags.cases) };
  },
  run: compareAnswers,
});

async function compareAnswers(options: { readonly seed: string; readonly cases: number }): Promise<void> {
  process.stdout.write(`seed ${options.seed}\n`);
  const report = await runDifferential(options);
  for (const difference of report.differences) {
    process.stdout.write(`\n${difference}\n`);
  }
  process.stdout.write(
    [
      `\n${report.cases} cases over ${report.federations} federations, ${report.askedStock} of them with stock`,
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
