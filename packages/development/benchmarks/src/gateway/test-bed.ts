import { randomInt } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { isDeepStrictEqual } from 'node:util';

import type { StartedProgram } from '../harness/started-program.ts';
import { lineWith, startProgram } from '../harness/started-program.ts';
import type { Contender } from './contenders.ts';
import { gatewayRequests } from './gateway-requests.ts';
import { pinToAllCores, pinToCore } from './pin-to-core.ts';
import type { Recording } from './record-calls.ts';
import { recordCalls } from './record-calls.ts';
import { untilListening } from './until-listening.ts';
import type { SubgraphName, Workload } from './workload.ts';
import { composeWorkload, variants, workloads } from './workload.ts';

/** One who is measured, listening. */
export interface Runner {
  readonly contender: Contender;
  readonly program: StartedProgram;
  readonly url: string;
  /** The workloads with right responses. */
  readonly workloads: readonly Workload[];
  /** The descriptions of its wrong responses. */
  readonly wrong: readonly string[];
}

/**
 * The common ground of all contenders, which a signal also ends: the stub subgraphs, and the expected
 * response of each operation.
 */
export interface TestBed {
  /** Where results, configurations and installations are. */
  readonly directory: string;
  /** The subgraph calls of each operation, by its name and offset: `Deep 0`. */
  readonly recordings: ReadonlyMap<string, Recording>;
  /** Starts one, and compares its responses with the recorded ones: a wrong response is not worth measuring. */
  start(contender: Contender): Promise<Runner>;
  /** Ends everything that was started. */
  close(): Promise<void>;
}

export interface TestBedOptions {
  /**
   * The processes of the stub subgraphs. Several are on all cores, and so is the load, because the contenders are.
   * Default: one, which shares a core with the load.
   */
  readonly subgraphProcesses?: number;
}

/** The measured process has its own core, if the machine has two and `taskset`. */
const contenderCore = 0;
const loadCore = 1;

export async function openTestBed({ subgraphProcesses = 1 }: TestBedOptions = {}): Promise<TestBed> {
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
    directory,
    recordings,
    async start(contender) {
      const port = randomInt(20_000, 32_000);
      const program = await contender.prepare({ port, supergraphPath: env.SUPERGRAPH_PATH });
      const addresses = { PORT: String(port), HOST: '127.0.0.1', ADMIN_PORT: String(port + 1) };
      const started = startProgram(
        { ...program, env: { ...env, ...addresses, ...program.env } },
        { stderr: 'pipe' },
      );
      if (contender.cores === 'all') {
        pinToAllCores(started.pid);
      } else {
        pinToCore(started.pid, contenderCore);
      }
      programs.push(started);
      const url = `http://127.0.0.1:${port}${contender.path}`;
      try {
        await untilListening(started.child, url);
        const faults = new Map<Workload, string>();
        for (const workload of workloads) {
          const fault = await faultOf(url, workload, recordings, contender.headers);
          if (fault !== undefined) {
            faults.set(workload, fault);
          }
        }
        // A process blocks in the end when nothing reads its output.
        started.stdout.resume();
        started.child.stderr?.resume();
        return {
          contender,
          program: started,
          url,
          workloads: workloads.filter((workload) => !faults.has(workload)),
          wrong: Array.from(faults, ([workload, fault]) => `${workload.name}: ${fault}`),
        };
      } catch (error) {
        await started.stop();
        throw error;
      }
    },
    close,
  };
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
  url: string,
  workload: Workload,
  recordings: ReadonlyMap<string, Recording>,
  fields: Contender['headers'],
): Promise<string | undefined> {
  const { headers, bodies } = gatewayRequests(url, workload, fields);
  for (const [n, body] of bodies.entries()) {
    const response = await fetch(url, { method: 'POST', headers, body });
    const httpResponse = await response.text();
    const expected: unknown = JSON.parse(recordings.get(recordingKey(workload, n))?.response ?? 'null');
    if (!response.ok || !isDeepStrictEqual(JSON.parse(httpResponse), expected)) {
      return `its answer is another (${response.status}): ${firstDifference(httpResponse, JSON.stringify(expected))}`;
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
