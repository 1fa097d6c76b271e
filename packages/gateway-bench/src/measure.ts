import process from 'node:process';

import { driveLoad } from './drive-load.ts';
import type { LoadResult } from './drive-load.ts';
import { cpuSeconds, residentMebibytes } from './process-cost.ts';
import type { Runner } from './test-bed.ts';
import type { Workload } from './workload.ts';

/** One round of one workload on one contender. */
export interface Measurement extends LoadResult {
  readonly contender: string;
  readonly workload: string;
  /** From 0. */
  readonly round: number;
  readonly cpuSeconds: number;
  readonly mebibytes: number;
}

export interface MeasureOptions {
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
}

export interface MeasuredRounds extends MeasureOptions {
  readonly runners: readonly Runner[];
  readonly workloads: readonly Workload[];
  /** Is told of who did not finish a round. */
  readonly onFailure: (what: string) => void;
}

/** Measures everyone in turn, several times: what else the machine does then falls on all of them. */
export async function measureInTurn({
  runners,
  workloads,
  onFailure,
  ...options
}: MeasuredRounds): Promise<readonly Measurement[]> {
  const measurements: Measurement[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    for (const workload of workloads) {
      for (const runner of runners.filter((candidate) => candidate.workloads.includes(workload))) {
        const { name } = runner.contender;
        note(`round ${round + 1}: ${workload.name}: ${name}`);
        try {
          measurements.push(await measure(runner, workload, options, round));
        } catch (error) {
          onFailure(`${name}, round ${round + 1} of ${workload.name}: ${messageOf(error)}`);
        }
      }
    }
  }
  return measurements;
}

async function measure(
  { contender, program, url }: Runner,
  workload: Workload,
  { seconds, connections }: MeasureOptions,
  round: number,
): Promise<Measurement> {
  const { requests } = contender;
  const load = { url, workload, requests, connections, durationMs: seconds * 1000 };
  if (round === 0) {
    await driveLoad({ ...load, durationMs: load.durationMs / 2 });
  }
  const cpuBefore = cpuSeconds(program.pid);
  const result = await driveLoad(load);
  return {
    contender: contender.name,
    workload: workload.name,
    round,
    ...result,
    cpuSeconds: cpuSeconds(program.pid) - cpuBefore,
    mebibytes: residentMebibytes(program.pid),
  };
}

/** Tells whoever waits what is going on. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
