// `pnpm bench check`: see the README.
import { mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import {
  UsageError,
  flagValue,
  positiveInteger,
  readArgs,
  runCommand,
} from '@meridian/settings/command-line';

import { generateManifest } from './generate-manifest.ts';
import { generateSubgraphs } from './generate-subgraphs.ts';
import { plant, plantedChanges } from './planted-changes.ts';
import { printPhases } from './print-phases.ts';
import { createRepository, writeSchemas } from './repository.ts';
import type { PhaseCost } from './run-check.ts';
import { runCheck } from './run-check.ts';

const help = `Usage: pnpm bench check [flags]

Measures how long pnpm check takes in a repository with a generated graph: without a
change, with ten changes, and with one that every plan may depend on.

  --rounds <n>       of each, in turn (3)
  --operations <n>   of the manifest (1000)
  --types <n>        of all subgraphs together (2000)
  --subgraphs <n>    (40)
  --profile          writes a CPU profile of each run to .data/bench/profiles-check
  --help             print this`;

/** The planted changes are in so many subgraphs. */
const minSubgraphs = 10;
/** With fewer a subgraph has no entity. */
const minTypesEach = 5;

await runCommand({ name: 'pnpm bench check', help, read: readFlags, run: benchmark });

function readFlags(args: readonly string[]) {
  const { flags } = readArgs(args, {
    rounds: { type: 'string', default: '3' },
    operations: { type: 'string', default: '1000' },
    types: { type: 'string', default: '2000' },
    subgraphs: { type: 'string', default: '40' },
    profile: { type: 'boolean', default: false },
  });
  const subgraphs = flagValue('--subgraphs', flags.subgraphs, positiveInteger);
  if (subgraphs < minSubgraphs) {
    throw new UsageError(`--subgraphs is ${subgraphs}; it takes ${minSubgraphs} or more`);
  }
  const types = flagValue('--types', flags.types, positiveInteger);
  if (types < subgraphs * minTypesEach) {
    throw new UsageError(`--types is ${types}; it takes ${minTypesEach} or more for each subgraph`);
  }
  return {
    rounds: flagValue('--rounds', flags.rounds, positiveInteger),
    operations: flagValue('--operations', flags.operations, positiveInteger),
    types,
    subgraphs,
    profile: flags.profile,
  };
}

async function benchmark(flags: ReturnType<typeof readFlags>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'meridian-check-bench-'));
  try {
    const repository = join(directory, 'repository');
    mkdirSync(repository);
    const subgraphs = generateSubgraphs(flags);
    createRepository(repository, subgraphs, generateManifest(flags.operations, flags));
    const nodeFlags = flags.profile
      ? ['--cpu-prof', '--cpu-prof-dir', `${process.cwd()}/.data/bench/profiles-check`]
      : [];
    const measured = new Map<string, (readonly PhaseCost[])[]>();
    for (let round = 1; round <= flags.rounds; round += 1) {
      for (const [name, changes] of plantedChanges) {
        process.stderr.write(`round ${round} of ${flags.rounds}: ${name}\n`);
        writeSchemas(repository, plant(changes, subgraphs));
        const costs = runCheck({ repository, directory, changes, nodeFlags });
        measured.set(name, [...(measured.get(name) ?? []), costs]);
      }
    }
    process.stdout.write(
      `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}: ${flags.operations} operations, ${flags.types} types, ${flags.subgraphs} subgraphs\n`,
    );
    for (const [name, rounds] of measured) {
      process.stdout.write(`\n${name}\n\n${printPhases(rounds)}`);
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
