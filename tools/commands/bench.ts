// `pnpm bench <name> [flags]`: one of the benchmarks of packages/development/benchmarks.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';

import { UsageError, runCommand } from '@meridian/settings/command-line';

const benchmarks = [
  {
    name: 'accounts',
    measures: 'What a read and a write of an account cost, next to a bare handler and to pgbench.',
  },
  { name: 'gateway', measures: 'What a federated request costs this gateway, its rivals and the floor.' },
  { name: 'streams', measures: 'What subscriptions cost this gateway and Hive Router: memory, CPU, time.' },
];
const [name, ...args] = process.argv.slice(2);
const chosen = benchmarks.find((benchmark) => benchmark.name === name);

if (chosen === undefined) {
  await runCommand({
    name: 'pnpm bench',
    help: [
      'Usage: pnpm bench <name> [flags]',
      '',
      'Runs a benchmark:',
      '',
      ...benchmarks.map((benchmark) => `  ${benchmark.name.padEnd(10)} ${benchmark.measures}`),
      '',
      'pnpm bench <name> --help lists the flags of one.',
    ].join('\n'),
    read([wanted]) {
      const names = benchmarks.map((benchmark) => benchmark.name).join(', ');
      throw new UsageError(
        wanted === undefined ? '<name> is missing' : `<name> is ${JSON.stringify(wanted)}; it takes ${names}`,
      );
    },
    run: () => undefined,
  });
} else {
  const child = spawn(process.execPath, [scriptOf(chosen.name), ...args], { stdio: 'inherit' });
  // A terminal's Ctrl-C reaches the benchmark as well: it stops what it started, and this process ends after it.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('exit', (code) => process.exit(code ?? 1));
}

function scriptOf(name: string): string {
  return join(import.meta.dirname, '../../packages/development/benchmarks/src', name, 'main.ts');
}
