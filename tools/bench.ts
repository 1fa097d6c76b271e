// `pnpm bench <name> [options]`: one of the benchmarks of this repository, by the name of its package.
import { spawn } from 'node:child_process';
import process from 'node:process';

import { findBenchmarks } from './bench/find-benchmarks.ts';

const [name, ...options] = process.argv.slice(2);
const benchmarks = findBenchmarks();
const chosen = benchmarks.find((benchmark) => benchmark.name === name);

if (chosen !== undefined) {
  const child = spawn(process.execPath, [chosen.script, ...options], { stdio: 'inherit' });
  // A terminal's Ctrl-C reaches the benchmark as well: it stops what it started, and this process ends after it.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('exit', (code) => process.exit(code ?? 1));
} else if (name === '--help' || name === '-h') {
  process.stdout.write(usage());
} else {
  process.stderr.write(usage());
  process.exitCode = 1;
}

function usage(): string {
  return [
    'pnpm bench <name> [options]',
    '',
    ...benchmarks.map((benchmark) => `  ${benchmark.name.padEnd(10)} ${benchmark.description}`),
    '',
    'pnpm bench <name> --help lists the options of one.',
    '',
  ].join('\n');
}
