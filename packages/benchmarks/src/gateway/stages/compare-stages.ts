import { warmUp } from '../../harness/warm-up.ts';
import type { Contender } from '../contenders.ts';
import { ours } from '../contenders.ts';
import { openLoadGenerator } from '../load-generator.ts';
import type { MeasureOptions } from '../measure-rounds.ts';
import { measureRounds, note } from '../measure-rounds.ts';
import { requestsOf } from '../request-form.ts';
import type { Runner, TestBed } from '../test-bed.ts';
import { workloads } from '../workload.ts';
import type { Workload } from '../workload.ts';
import { busyTimeByStage } from './busy-time.ts';
import { openCollector } from './open-collector.ts';
import { pipelineVariants } from './pipeline-variants.ts';
import { printShares, printVariants } from './print-stages.ts';
import { connectProfiler } from './profiler.ts';

/** The small operation, and the one that federation gateways are commonly measured with. */
const measured = workloads.filter(({ operationName }) => ['Small', 'Deep'].includes(operationName));

export interface StageOptions extends MeasureOptions {
  /** Variants whose name holds one of these, beside the executor and the whole pipeline. */
  readonly only: readonly string[];
}

/**
 * Measures what the gateway's pipeline costs, with everything on that a public graph has: the executor alone, the whole
 * pipeline, and the pipeline without each stage that can be switched off; then profiles the whole, for those that
 * cannot.
 */
export async function compareStages(testBed: TestBed, { only, ...options }: StageOptions): Promise<string> {
  const collector = await openCollector();
  try {
    const { directory } = testBed;
    const { whole, profiled, others } = await pipelineVariants({ directory, collectorUrl: collector.url });
    const executor = ours('the executor alone, on node:http', 'executor-server.ts');
    const chosen = others.filter(({ name }) => only.some((part) => name.includes(part)));
    const runners: Runner[] = [];
    for (const contender of [executor, whole, ...chosen]) {
      runners.push(await startRight(testBed, contender));
    }
    const measurements = await measureRounds({
      ...options,
      runners,
      directory,
      workloads: measured,
      onFailure: note,
    });
    await Promise.all(runners.map(({ program }) => program.stop()));
    const shares = await profileAll(await startRight(testBed, profiled), profiled.inspectorPort, {
      ...options,
      directory,
    });
    return `${printVariants(measurements, { executor: executor.name, whole: whole.name })}\n${printShares(shares)}`;
  } finally {
    collector.close();
  }
}

/** @throws {Error} where it answers anything wrongly */
async function startRight(testBed: TestBed, contender: Contender): Promise<Runner> {
  note(`starting ${contender.name}`);
  const runner = await testBed.start(contender);
  if (runner.wrong.length > 0) {
    throw new Error(`${contender.name}: ${runner.wrong.join('; ')}`);
  }
  return runner;
}

/** The parts of the busy time that the stages take, by workload. */
async function profileAll(
  { url, contender, program }: Runner,
  inspectorPort: number,
  { seconds, ...options }: MeasureOptions & { readonly directory: string },
): Promise<ReadonlyMap<Workload, ReadonlyMap<string, number>>> {
  const shares = new Map<Workload, ReadonlyMap<string, number>>();
  const profiler = await connectProfiler(inspectorPort);
  const generator = openLoadGenerator(options);
  for (const workload of measured) {
    note(`profiling: ${workload.name}`);
    const requests = requestsOf(url, contender.requests, workload);
    await warmUp(program.pid, (ofSeconds) => generator.load({ ...requests, seconds: ofSeconds }));
    await profiler.start();
    await generator.load({ ...requests, seconds: seconds * 2 });
    shares.set(workload, busyTimeByStage(await profiler.stop()));
  }
  profiler.close();
  await generator.close();
  await program.stop();
  return shares;
}
