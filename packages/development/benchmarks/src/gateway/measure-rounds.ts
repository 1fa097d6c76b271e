import process from 'node:process';

import { cpuSeconds, processTree, residentMebibytes } from '../harness/process-cost.ts';
import { shuffled } from '../harness/measure-in-slices.ts';
import { warmUp } from '../harness/warm-up.ts';
import type { LoadGenerator, LoadSummary } from './load-generator.ts';
import { openLoadGenerator } from './load-generator.ts';
import type { Runner } from './test-bed.ts';
import { bodiesOf } from './workload.ts';
import type { Workload } from './workload.ts';

/** One round of one workload on one contender. */
export interface Measurement extends LoadSummary {
  readonly contender: string;
  readonly workload: string;
  readonly cpuSeconds: number;
  readonly mebibytes: number;
}

export interface MeasureOptions {
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
}

interface MeasuredRounds extends MeasureOptions {
  readonly runners: readonly Runner[];
  /** For files of the load generator. */
  readonly directory: string;
  readonly workloads: readonly Workload[];
  /** Called when a contender did not finish a round. */
  readonly onFailure: (what: string) => void;
}

/**
 * Measures everyone in turn, several times, in another order each time: what else the machine does then falls on all of
 * them. What comes before the first round warms them up and counts for nothing.
 */
export async function measureRounds({
  runners,
  directory,
  workloads,
  onFailure,
  ...options
}: MeasuredRounds): Promise<readonly Measurement[]> {
  const { connections } = options;
  const measured = runners.map((runner) => ({
    ...runner,
    generator: openLoadGenerator({ connections, directory }),
  }));
  const measurements: Measurement[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    for (const workload of workloads) {
      for (const runner of shuffled(measured.filter((candidate) => candidate.workloads.includes(workload)))) {
        const { name } = runner.contender;
        note(`round ${round + 1}: ${workload.name}: ${name}`);
        try {
          measurements.push(await measure(runner, workload, options.seconds, round));
        } catch (error) {
          onFailure(`${name}, round ${round + 1} of ${workload.name}: ${messageOf(error)}`);
        }
      }
    }
  }
  await Promise.all(measured.map(({ generator }) => generator.close()));
  return workloads.flatMap((workload) =>
    runners.flatMap(({ contender }) =>
      measurements.filter((each) => each.workload === workload.name && each.contender === contender.name),
    ),
  );
}

async function measure(
  { contender, program, url, headers, generator }: Runner & { readonly generator: LoadGenerator },
  workload: Workload,
  seconds: number,
  round: number,
): Promise<Measurement> {
  const requests = { url, headers, bodies: bodiesOf(workload) };
  if (round === 0) {
    await warmUp(program.pid, (seconds) => generator.load({ ...requests, seconds }));
  }
  const pids = processTree(program.pid);
  const cpuBefore = sum(pids.map(cpuSeconds));
  const result = await generator.load({ ...requests, seconds });
  return {
    contender: contender.name,
    workload: workload.name,
    ...result,
    cpuSeconds: sum(pids.map(cpuSeconds)) - cpuBefore,
    mebibytes: sum(pids.map(residentMebibytes)),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Prints a progress line. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
