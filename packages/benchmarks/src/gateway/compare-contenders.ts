import { cpus } from 'node:os';
import process from 'node:process';

import { contendersIn } from './contenders.ts';
import type { MeasureOptions } from './measure.ts';
import { measureInTurn, messageOf, note } from './measure.ts';
import { printTable } from './print-table.ts';
import type { Runner, TestBed } from './test-bed.ts';
import { operationNames, workloads } from './workload.ts';

export interface ComparisonOptions extends MeasureOptions {
  /** Contenders whose name holds this; all where it is empty. */
  readonly only: string;
}

/** Measures this gateway beside its rivals and the floor: one Markdown table, and what could not be measured. */
export async function compareContenders(
  testBed: TestBed,
  { only, ...options }: ComparisonOptions,
): Promise<string> {
  const notMeasured: string[] = [];
  const runners: Runner[] = [];
  for (const contender of contendersIn(testBed.directory).filter(({ name }) => name.includes(only))) {
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
  const measurements = await measureInTurn({ ...options, runners, workloads, onFailure });
  const table = `${describeWork(testBed, options.connections)}\n\n${printTable(measurements)}`;
  return [table, ...notMeasured.map((line) => `Not measured: ${line}\n`)].join('\n');
}

function describeWork({ recordings }: TestBed, connections: number): string {
  const lines = operationNames.map((name) => {
    const { response = '', rounds = [] } = recordings.get(`${name} 0`) ?? {};
    const calls = rounds.flat().length;
    return `- ${name}: ${(response.length / 1000).toFixed(1)} kB, ${calls} calls to subgraphs, ${rounds.length} rounds`;
  });
  return [
    `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, ${connections} connections`,
    ...lines,
  ].join('\n');
}
