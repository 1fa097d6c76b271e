// `pnpm bench scale`: see the README.
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { createDevelopmentIdentity } from '@meridian/auth/development';
import {
  UsageError,
  flagValue,
  positiveInteger,
  positiveNumber,
  readArgs,
  runCommand,
} from '@meridian/command-line';
import { citusVariable, findCitus } from '@meridian/postgres/citus';

import { fitSystem } from './fit-system.ts';
import { measureLoads } from './measure-loads.ts';
import { printCapacities, printLoads } from './print-report.ts';
import type { ScaleReport } from './print-report.ts';
import { startAccounts, startGateway } from './start-systems.ts';
import type { RunningSystems } from './start-systems.ts';

const help = `Usage: pnpm bench scale [flags]

Measures what a gateway, and accounts over one PostgreSQL and over Citus of one and
two workers, carry from 1 to 32 clients. Prints the prediction of a queueing model
beside each measured load, and its error.

  --only <names>  of ${systemNames().join(', ')}; all by default
  --rounds <n>    each number of clients in turn, so often (3)
  --seconds <n>   of load, for each number of clients and round (0.7)
  --help          print this

Citus is found where its packages install it, or by ${citusVariable} (docs/scale.md).
`;

/** From nearly idle to saturated. */
const clientCounts = [1, 2, 4, 8, 16, 32];

await runCommand({ name: 'pnpm bench scale', help, read: readFlags, run: benchmark });

function systemNames(): readonly string[] {
  return ['gateway', 'postgres', 'citus-1', 'citus-2'];
}

function readFlags(args: readonly string[]) {
  const { flags } = readArgs(args, {
    only: { type: 'string', default: systemNames().join(',') },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '0.7' },
  });
  const only = flags.only.split(',');
  const unknown = only.find((name) => !systemNames().includes(name));
  if (unknown !== undefined) {
    throw new UsageError(`--only is ${JSON.stringify(unknown)}; it takes ${systemNames().join(', ')}`);
  }
  return {
    only,
    rounds: flagValue('--rounds', flags.rounds, positiveInteger),
    seconds: flagValue('--seconds', flags.seconds, positiveNumber),
  };
}

async function benchmark({ only, ...flags }: ReturnType<typeof readFlags>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'meridian-scale-bench-'));
  try {
    const programs = await findCitus(process.env[citusVariable]);
    const identity = await createDevelopmentIdentity(join(directory, 'identity'));
    const accounts = { directory, identity, programs };
    const starts = new Map<string, () => Promise<RunningSystems>>([
      ['gateway', () => startGateway(directory)],
      ['postgres', () => startAccounts({ ...accounts, name: 'one PostgreSQL', workers: 0 })],
      ['citus-1', () => startAccounts({ ...accounts, name: 'Citus of 1 worker', workers: 1 })],
      ['citus-2', () => startAccounts({ ...accounts, name: 'Citus of 2 workers', workers: 2 })],
    ]);
    const reports: ScaleReport[] = [];
    for (const [name, start] of starts) {
      if (!only.includes(name)) {
        continue;
      }
      if (name.startsWith('citus') && programs === undefined) {
        process.stdout.write(`${name}: not run: there is no Citus on this machine (docs/scale.md)\n`);
        continue;
      }
      reports.push(...(await measureAll(start, flags)));
    }
    const [load = 0] = loadavg();
    process.stdout.write(
      `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, load average ${load.toFixed(1)}\n\n`,
    );
    for (const report of reports) {
      process.stdout.write(`${printLoads(report)}\n`);
    }
    process.stdout.write(printCapacities(reports));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function measureAll(
  start: () => Promise<RunningSystems>,
  options: { readonly rounds: number; readonly seconds: number },
): Promise<ScaleReport[]> {
  const running = await start();
  try {
    const reports: ScaleReport[] = [];
    for (const system of running.systems) {
      process.stderr.write(`${system.name}\n`);
      const loads = await measureLoads(system, { ...options, clientCounts });
      reports.push({ name: system.name, loads, model: fitSystem(system, loads, cpus().length) });
    }
    return reports;
  } finally {
    await running.stop();
  }
}
