import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { isDeepStrictEqual } from 'node:util';

import type { StartedProgram } from '../harness/started-program.ts';
import { lineWith, startProgram, untilListening } from '../harness/started-program.ts';
import type { Contender } from './contenders.ts';
import { startContender } from './contenders.ts';
import type { Recording } from './record-calls.ts';
import { recordCalls } from './record-calls.ts';
import type { SubgraphName, Workload } from './workload.ts';
import { bodiesOf, composeWorkload, variants, workloads } from './workload.ts';

/** One who is measured, listening. */
export interface Runner {
  readonly contender: Contender;
  readonly program: StartedProgram;
  readonly url: string;
  /** Of its requests. */
  readonly headers: Readonly<Record<string, string>>;
  /** The workloads with right responses. */
  readonly workloads: readonly Workload[];
  /** The descriptions of its wrong responses. */
  readonly wrong: readonly string[];
}

export type TestBed = Awaited<ReturnType<typeof openTestBed>>;

/** The measured process has its own core, if the machine has two and `taskset`. */
const contenderCore = 0;
const loadCore = 1;

/**
 * Opens the common ground of all contenders, which a signal also ends: the stub subgraphs, and the expected response of
 * each operation.
 *
 * @param subgraphProcesses several are on all cores, and so is the load, because the contenders are; one shares a core
 * with the load
 */
export async function openTestBed(subgraphProcesses: number) {
  const directory = join(import.meta.dirname, '../../../../../.data/bench');
  await mkdir(directory, { recursive: true });
  if (subgraphProcesses === 1) {
    pinToCore(process.pid, loadCore);
  }
  // On the cores of this process.
  const stubs = startProgram(
    {
      script: join(import.meta.dirname, 'stub-subgraphs.ts'),
      env: { PROCESSES: String(subgraphProcesses) },
    },
    { stderr: 'pipe' },
  );
  const programs: StartedProgram[] = [stubs];
  const close = async (): Promise<void> => {
    await Promise.all(programs.map((program) => program.stop()));
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void close().finally(() => process.exit(1)));
  }

  const urls: Record<SubgraphName, string> = JSON.parse(await lineWith('{', stubs));
  const supergraphSdl = composeWorkload(urls);
  const recordings = await recordAll(supergraphSdl).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const env = {
    SUPERGRAPH_PATH: join(directory, 'supergraph.graphql'),
    RECORDINGS_PATH: join(directory, 'recordings.json'),
  };
  await writeFile(env.SUPERGRAPH_PATH, supergraphSdl);
  await writeFile(env.RECORDINGS_PATH, JSON.stringify(Object.fromEntries(recordings)));

  return {
    /** Where results, configurations and installations are. */
    directory,
    /** The subgraph calls of each operation, by its name and offset: `Deep 0`. */
    recordings,
    /** Starts one, and compares its responses with the recorded ones: a wrong response is not worth measuring. */
    async start(contender: Contender): Promise<Runner> {
      const { program, url } = await startContender(contender, env);
      if (contender.cores === 'all') {
        pin(program.pid, `0-${cpus().length - 1}`);
      } else {
        pinToCore(program.pid, contenderCore);
      }
      programs.push(program);
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json',
        ...contender.headers,
      };
      try {
        await untilListening(program, url);
        const faults = new Map<Workload, string>();
        for (const workload of workloads) {
          const fault = await faultOf({ url, headers }, workload, recordings);
          if (fault !== undefined) {
            faults.set(workload, fault);
          }
        }
        return {
          contender,
          program,
          url,
          headers,
          workloads: workloads.filter((workload) => !faults.has(workload)),
          wrong: Array.from(faults, ([workload, fault]) => `${workload.name}: ${fault}`),
        };
      } catch (error) {
        await program.stop();
        throw error;
      }
    },
    /** Ends everything that was started. */
    close,
  };
}

/** Keeps a process, and what it starts from now on, on one core, where there is a second one. */
function pinToCore(pid: number, core: number): void {
  if (cpus().length > 1) {
    pin(pid, String(core));
  }
}

/** Does nothing without `taskset` (Linux). */
function pin(pid: number, cores: string): void {
  spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(pid)]);
}

async function recordAll(supergraphSdl: string): Promise<ReadonlyMap<string, Recording>> {
  const recordings = new Map<string, Recording>();
  for (const workload of workloads) {
    for (let n = 0; n < variants; n += 1) {
      const key = recordingKey(workload, n);
      recordings.set(key, recordings.get(key) ?? (await recordCalls(supergraphSdl, workload, n)));
    }
  }
  return recordings;
}

/** Names the n-th request of a workload among the recordings. */
function recordingKey({ operationName, variables }: Workload, n: number): string {
  return `${operationName} ${variables(n).offset ?? 0}`;
}

/** The fault of a server's responses; undefined without one. */
async function faultOf(
  { url, headers }: Pick<Runner, 'url' | 'headers'>,
  workload: Workload,
  recordings: ReadonlyMap<string, Recording>,
): Promise<string | undefined> {
  for (const [n, body] of bodiesOf(workload).entries()) {
    const response = await fetch(url, { method: 'POST', headers, body });
    const text = await response.text();
    const expected: unknown = JSON.parse(recordings.get(recordingKey(workload, n))?.response ?? 'null');
    if (!response.ok || !isDeepStrictEqual(JSON.parse(text), expected)) {
      return `its answer is another (${response.status}): ${firstDifference(text, JSON.stringify(expected))}`;
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
