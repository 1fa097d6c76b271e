import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

import type { PlantedChange } from './planted-changes.ts';
import type { PhaseEnd } from './record-phases.ts';

/** The time that one phase took. */
export interface PhaseCost {
  readonly phase: string;
  readonly wallSeconds: number;
  /** Of all threads of the process; git is a process of its own. */
  readonly cpuSeconds: number;
}

export interface CheckRun {
  /** A repository. */
  readonly repository: string;
  /** For the files of the run. */
  readonly directory: string;
  readonly changes: readonly PlantedChange[];
  readonly nodeFlags: readonly string[];
}

interface Report {
  readonly changes: readonly { readonly kind: string; readonly coordinate: string }[];
}

/**
 * Runs `pnpm check` in a process of its own.
 *
 * @throws {Error} where the report does not have the planted changes
 */
export function runCheck({ repository, directory, changes, nodeFlags }: CheckRun): readonly PhaseCost[] {
  const [phasesFile, reportFile] = [join(directory, 'phases.json'), join(directory, 'report.json')];
  const { status } = spawnSync(
    process.execPath,
    [
      ...nodeFlags,
      '--import',
      join(import.meta.dirname, 'record-phases.ts'),
      join(import.meta.dirname, '../../../../../tools/commands/check.ts'),
      '--base=HEAD',
      `--write=json=${reportFile}`,
    ],
    {
      cwd: repository,
      env: { ...process.env, PHASES_FILE: phasesFile },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  if (status !== 0 && status !== 1) {
    throw new Error(`pnpm check ended with exit code ${status}`);
  }
  const report: Report = JSON.parse(readFileSync(reportFile, 'utf8'));
  requireChanges(changes, report);
  const ends: readonly PhaseEnd[] = JSON.parse(readFileSync(phasesFile, 'utf8'));
  return ends.map(({ phase, wallSeconds, cpuSeconds }, index) => ({
    phase,
    wallSeconds: wallSeconds - (ends[index - 1]?.wallSeconds ?? 0),
    cpuSeconds: cpuSeconds - (ends[index - 1]?.cpuSeconds ?? 0),
  }));
}

/** A check that misses a change is not worth measuring. */
function requireChanges(planted: readonly PlantedChange[], { changes }: Report): void {
  for (const { kind, coordinate } of planted) {
    if (!changes.some((change) => change.kind === kind && change.coordinate === coordinate)) {
      throw new Error(`The report does not have ${kind} ${coordinate}`);
    }
  }
  if (planted.length === 0 && changes.length > 0) {
    throw new Error(`The report of no change has ${changes.length}`);
  }
}
