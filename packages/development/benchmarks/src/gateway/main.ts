// `pnpm bench gateway`: see the README.
import process from 'node:process';

import { runCommand } from '@meridian/settings/command-line';

import { compareContenders } from './compare-contenders.ts';
import { benchHelp, readOptions } from './read-options.ts';
import type { BenchOptions } from './read-options.ts';
import { openTestBed } from './test-bed.ts';

await runCommand({ name: 'pnpm bench gateway', help: benchHelp, read: readOptions, run: benchmark });

async function benchmark(options: BenchOptions): Promise<void> {
  const testBed = await openTestBed({ subgraphProcesses: options.workers ?? 1 });
  try {
    process.stdout.write(await compareContenders(testBed, options, process.env['HIVE_ROUTER']));
  } finally {
    await testBed.close();
  }
}
