// `pnpm bench gateway`: see the README.
import { cpus } from 'node:os';
import process from 'node:process';

import { runCommand } from '@meridian/settings/command-line';

import { checkoutsIn, contendersIn, workersIn } from './contenders.ts';
import { guardedIn } from './guarded.ts';
import { loadGeneratorName } from './load-generator.ts';
import { measureRounds, messageOf, note } from './measure-rounds.ts';
import { printComparison } from './print-comparison.ts';
import { benchHelp, readOptions } from './read-options.ts';
import type { BenchOptions } from './read-options.ts';
import { openTestBed } from './test-bed.ts';
import type { Runner, TestBed } from './test-bed.ts';
import { operationNames, workloads } from './workload.ts';

await runCommand({ name: 'pnpm bench gateway', help: benchHelp, read: readOptions, run: benchmark });

async function benchmark(options: BenchOptions): Promise<void> {
  const testBed = await openTestBed(options.workers ?? 1);
  try {
    process.stdout.write(await compareContenders(testBed, options, process.env['HIVE_ROUTER']));
  } finally {
    await testBed.close();
  }
}

/**
 * Measures this gateway beside its rivals and the floor: one Markdown table, and what could not be measured.
 *
 * @param hiveRouter the path of Hive Router's binary; undefined where there is none
 */
async function compareContenders(
  testBed: TestBed,
  { only, work, workers, guarded, beside, ...options }: BenchOptions,
  hiveRouter: string | undefined,
): Promise<string> {
  const notMeasured: string[] = [];
  if (hiveRouter === undefined && beside === undefined) {
    notMeasured.push('Hive Router: HIVE_ROUTER does not name its binary');
  }
  const { directory } = testBed;
  const runners: Runner[] = [];
  const contenders =
    beside !== undefined
      ? checkoutsIn(directory, beside)
      : workers !== undefined
        ? workersIn(directory, workers, hiveRouter)
        : guarded
          ? await guardedIn(directory, hiveRouter)
          : contendersIn(directory, hiveRouter);
  for (const contender of contenders.filter(({ name }) => holds(only, name))) {
    note(`starting ${contender.name}`);
    try {
      const runner = await testBed.start(contender);
      runners.push(runner);
      notMeasured.push(...runner.wrong.map((what) => `${contender.name}: ${what}`));
    } catch (error) {
      notMeasured.push(`${contender.name}: ${messageOf(error)}`);
    }
  }
  const onFailure = (what: string): void => void notMeasured.push(what);
  const measurements = await measureRounds({
    ...options,
    runners,
    directory,
    workloads: workloads.filter(({ name }) => holds(work, name)),
    onFailure,
  });
  const table = `${describeWork(testBed, options.connections)}\n\n${printComparison(measurements)}`;
  return [table, ...notMeasured.map((line) => `Not measured: ${line}\n`)].join('\n');
}

function holds(parts: readonly string[], name: string): boolean {
  return parts.some((part) => name.includes(part));
}

function describeWork({ recordings }: TestBed, connections: number): string {
  const lines = operationNames.map((name) => {
    const { response = '', rounds = [] } = recordings.get(`${name} 0`) ?? {};
    const calls = rounds.flat().length;
    return `- ${name}: ${(response.length / 1000).toFixed(1)} kB, ${calls} calls to subgraphs, ${rounds.length} rounds`;
  });
  return [
    `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, ${connections} connections, load by ${loadGeneratorName}`,
    ...lines,
  ].join('\n');
}
