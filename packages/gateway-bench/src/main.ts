// `pnpm bench gateway`: see the README.
import { randomInt } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { isDeepStrictEqual } from 'node:util';

import { contendersIn } from './contenders.ts';
import type { Contender } from './contenders.ts';
import { bodyOf, driveLoad } from './drive-load.ts';
import type { Measurement } from './print-table.ts';
import { printTable } from './print-table.ts';
import { cpuSeconds, residentMebibytes } from './process-cost.ts';
import type { Recording } from './record-calls.ts';
import { recordCalls } from './record-calls.ts';
import { readOptions } from './read-options.ts';
import type { StartedProgram } from './started-program.ts';
import { firstLine, startProgram, untilListening } from './started-program.ts';
import { pinToCore } from './pin-to-core.ts';
import type { SubgraphName, Workload } from './workload.ts';
import { composeWorkload, federation1Schemas, operationNames, variants, workloads } from './workload.ts';

interface Runner {
  readonly contender: Contender;
  readonly program: StartedProgram;
  readonly url: string;
  /** Those that it answers rightly. */
  readonly workloads: readonly Workload[];
}

const options = readOptions(process.argv.slice(2));
if ('usage' in options) {
  (options.isAskedFor ? process.stdout : process.stderr).write(options.usage);
  process.exit(options.isAskedFor ? 0 : 1);
}
const { seconds, rounds, connections, only } = options;

/** Who is measured has a core for itself, where the machine has two and `taskset`. */
const contenderCore = 0;
const loadCore = 1;

const directory = join(import.meta.dirname, '../../../.data/bench');
await mkdir(directory, { recursive: true });
pinToCore(process.pid, loadCore);
const stubs = startProgram({ script: join(import.meta.dirname, 'stub-subgraphs.ts'), env: {} }, loadCore);
const programs: StartedProgram[] = [stubs.program];
const runners: Runner[] = [];
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stopPrograms().finally(() => process.exit(1)));
}
try {
  await benchmark();
} finally {
  await stopPrograms();
}

async function stopPrograms(): Promise<void> {
  await Promise.all(programs.map((program) => program.stop()));
}

async function benchmark(): Promise<void> {
  const urls: Record<SubgraphName, string> = JSON.parse(await firstLine(stubs.child));
  const supergraphSdl = composeWorkload(urls);
  const recordings = await recordAll(supergraphSdl);
  const env = {
    SUPERGRAPH_PATH: join(directory, 'supergraph.graphql'),
    RECORDINGS_PATH: join(directory, 'recordings.json'),
    SUBGRAPHS: JSON.stringify(urls),
    FEDERATION_1_SCHEMAS: JSON.stringify(federation1Schemas),
  };
  await writeFile(env.SUPERGRAPH_PATH, supergraphSdl);
  await writeFile(env.RECORDINGS_PATH, JSON.stringify(Object.fromEntries(recordings)));

  const notMeasured: string[] = [];
  for (const contender of contendersIn(directory).filter(({ name }) => name.includes(only))) {
    note(`starting ${contender.name}`);
    try {
      const { wrong, ...runner } = await start(contender, env, recordings);
      runners.push(runner);
      notMeasured.push(...wrong.map((what) => `${contender.name}: ${what}`));
    } catch (error) {
      notMeasured.push(`${contender.name}: ${messageOf(error)}`);
    }
  }
  const measurements = await measureAll((what) => void notMeasured.push(what));
  process.stdout.write(`${describeWork(recordings)}\n\n${printTable(measurements)}\n`);
  notMeasured.forEach((line) => process.stdout.write(`\nNot measured: ${line}\n`));
}

async function recordAll(supergraphSdl: string): Promise<ReadonlyMap<string, Recording>> {
  const recordings = new Map<string, Recording>();
  for (const workload of workloads) {
    for (let n = 0; n < variants; n += 1) {
      const key = keyOf(workload, n);
      recordings.set(key, recordings.get(key) ?? (await recordCalls(supergraphSdl, workload, n)));
    }
  }
  return recordings;
}

function keyOf({ operationName, variables }: Workload, n: number): string {
  return `${operationName} ${String(variables(n)['offset'])}`;
}

/** Starts one, and holds its answers against the reference's: a wrong answer is not worth measuring. */
async function start(
  contender: Contender,
  env: Readonly<Record<string, string>>,
  recordings: ReadonlyMap<string, Recording>,
): Promise<Runner & { readonly wrong: readonly string[] }> {
  const program = await contender.prepare();
  const port = randomInt(20_000, 32_000);
  const started = startProgram(
    {
      script: program.script,
      env: { ...env, PORT: String(port), HOST: '127.0.0.1', ADMIN_PORT: String(port + 1), ...program.env },
    },
    contenderCore,
  );
  programs.push(started.program);
  const url = `http://127.0.0.1:${port}${contender.path}`;
  const right: Workload[] = [];
  const wrong: string[] = [];
  try {
    await untilListening(started.child, url);
    for (const workload of workloads) {
      const fault = await faultOf(url, workload, recordings);
      if (fault === undefined) {
        right.push(workload);
      } else {
        wrong.push(`${workload.name}: ${fault}`);
      }
    }
  } catch (error) {
    await started.program.stop();
    throw error;
  }
  // Whoever does not read what a process writes stops it, in the end.
  started.child.stdout?.resume();
  started.child.stderr?.resume();
  return { contender, program: started.program, url, workloads: right, wrong };
}

/** What is wrong with the answers of a server; undefined where nothing is. */
async function faultOf(
  url: string,
  workload: Workload,
  recordings: ReadonlyMap<string, Recording>,
): Promise<string | undefined> {
  for (let n = 0; n < variants; n += 7) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: bodyOf(workload, n),
    });
    const answer = await response.text();
    const expected: unknown = JSON.parse(recordings.get(keyOf(workload, n))?.answer ?? 'null');
    if (!response.ok || !isDeepStrictEqual(JSON.parse(answer), expected)) {
      return `its answer is another (${response.status}): ${firstDifference(answer, JSON.stringify(expected))}`;
    }
  }
  return undefined;
}

function firstDifference(actual: string, expected: string): string {
  let at = 0;
  while (at < expected.length && actual[at] === expected[at]) {
    at += 1;
  }
  const from = Math.max(0, at - 30);
  return `…${actual.slice(from, from + 80)}… for …${expected.slice(from, from + 80)}…`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Measures everyone in turn, several times: what else the machine does then falls on all of them.
 *
 * @param onFailure is told of who did not finish a round
 */
async function measureAll(onFailure: (what: string) => void): Promise<readonly Measurement[]> {
  const measurements: Measurement[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const workload of workloads) {
      for (const runner of runners.filter((candidate) => candidate.workloads.includes(workload))) {
        note(`round ${round + 1}: ${workload.name}: ${runner.contender.name}`);
        try {
          measurements.push(await measure(runner, workload, round === 0));
        } catch (error) {
          onFailure(`${runner.contender.name}, round ${round + 1} of ${workload.name}: ${messageOf(error)}`);
        }
      }
    }
  }
  return measurements;
}

async function measure(
  { contender, program, url }: Runner,
  workload: Workload,
  isFirst: boolean,
): Promise<Measurement> {
  const durationMs = seconds * 1000;
  if (isFirst) {
    await driveLoad({ url, workload, connections, durationMs: durationMs / 2 });
  }
  const cpuBefore = cpuSeconds(program.pid);
  const load = await driveLoad({ url, workload, connections, durationMs });
  return {
    contender: contender.name,
    workload: workload.name,
    ...load,
    cpuSeconds: cpuSeconds(program.pid) - cpuBefore,
    mebibytes: residentMebibytes(program.pid),
  };
}

function describeWork(recordings: ReadonlyMap<string, Recording>): string {
  const lines = operationNames.map((name) => {
    const { answer = '', plannedFetches = 0, rounds = [] } = recordings.get(`${name} 0`) ?? {};
    const calls = rounds.flat().length;
    return `- ${name}: ${(answer.length / 1000).toFixed(1)} kB, ${plannedFetches} fetches planned, ${calls} of them different, ${rounds.length} rounds`;
  });
  return [
    `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, ${connections} connections`,
    ...lines,
  ].join('\n');
}

function note(text: string): void {
  process.stderr.write(`${text}\n`);
}
