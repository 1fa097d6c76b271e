// `pnpm bench <name> [flags]`: one of the benchmarks of this repository, by the name of its package.
import { spawn } from 'node:child_process';
import process from 'node:process';

import { CallError, runCommand } from '@meridian/command-line';

import { findBenchmarks } from './bench/find-benchmarks.ts';

const benchmarks = findBenchmarks();
const [name, ...words] = process.argv.slice(2);
const chosen = benchmarks.find((benchmark) => benchmark.name === name);

if (chosen === undefined) {
  await runCommand({
    name: 'pnpm bench',
    help: [
      'Usage: pnpm bench <name> [flags]',
      '',
      'Runs a benchmark:',
      '',
      ...benchmarks.map((benchmark) => `  ${benchmark.name.padEnd(10)} ${benchmark.description}`),
      '',
      'pnpm bench <name> --help lists the flags of one.',
    ].join('\n'),
    read([wanted]) {
      const names = benchmarks.map((benchmark) => benchmark.name).join(', ');
      throw new CallError(
        wanted === undefined ? '<name> is missing' : `<name> is ${JSON.stringify(wanted)}; it takes ${names}`,
      );
    },
    run: () => undefined,
  });
} else {
  const child = spawn(process.execPath, [chosen.script, ...words], { stdio: 'inherit' });
  // A terminal's Ctrl-C reaches the benchmark as well: it stops what it started, and this process ends after it.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('exit', (code) => process.exit(code ?? 1));
}
