// `pnpm bench gateway`: see the README.
import { cpus } from 'node:os';
import process from 'node:process';

import {
  runCommand,
  flagValue,
  positiveInteger,
  positiveNumber,
  readArgs,
} from '@meridian/settings/command-line';

import { checkoutsIn, contendersIn, workersIn } from './contenders.ts';
import { guardedIn } from './guarded.ts';
import { loadGeneratorName } from './load-generator.ts';
import { measureRounds, messageOf, note } from './measure-rounds.ts';
import { printComparison } from './print-comparison.ts';
import { openTestBed } from './test-bed.ts';
import type { Runner, TestBed } from './test-bed.ts';
import { operationNames, workloads } from './workload.ts';

/** The choice of what is measured, and for how long. */
type BenchOptions = ReturnType<typeof readOptions>;

const benchHelp = `Usage: pnpm bench gateway [flags]

Measures what a federated request costs this gateway, stock @apollo/gateway and
others, side by side.

  --seconds <n>      of load, for each contender, operation and round (3)
  --rounds <n>       everyone in turn, so often; the best counts (3)
  --connections <n>  that send at the same time (50)
  --only <texts>     measures those whose name holds this; commas separate several
  --work <texts>     sends the operations whose name holds this, such as small,field
  --workers <n>      measures our gateway with one worker and with n, and Hive
                     Router, on all cores, not others
  --guarded          measures our gateway with tokens, safelist, limits, cost,
                     throttle, traces and lines of the log, each alone and all of
                     them, with a hook and a coprocessor, and Hive Router with
                     those guards that it has
  --beside <path>    measures our gateway and the one of another checkout,
                     installed, in pairs, not others: before and after a change
  --help             print this

HIVE_ROUTER names the binary of Hive Router, to measure it too.
`;

await runCommand({ name: 'pnpm bench gateway', help: benchHelp, read: readOptions, run: benchmark });

/**
 * Reads the flags.
 *
 * @throws {UsageError} which names the one that it cannot take
 */
function readOptions(args: readonly string[]) {
  const { flags } = readArgs(args, {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '50' },
    only: { type: 'string', default: '' },
    work: { type: 'string', default: '' },
    workers: { type: 'string' },
    guarded: { type: 'boolean', default: false },
    beside: { type: 'string' },
  });
  return {
    seconds: flagValue('--seconds', flags.seconds, positiveNumber),
    rounds: flagValue('--rounds', flags.rounds, positiveInteger),
    connections: flagValue('--connections', flags.connections, positiveInteger),
    /** Contenders whose name holds one of these. */
    only: flags.only.split(','),
    /** Workloads whose name holds one of these. */
    work: flags.work.split(','),
    /** Measures our gateway with one worker and with this many, and Hive Router, on all cores. */
    workers: flags.workers === undefined ? undefined : flagValue('--workers', flags.workers, positiveInteger),
    /** Measures our gateway with each guard that users run, and Hive Router with those that it has. */
    guarded: flags.guarded,
    /** The path of another checkout, whose gateway is measured beside ours. */
    beside: flags.beside,
  };
}

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
