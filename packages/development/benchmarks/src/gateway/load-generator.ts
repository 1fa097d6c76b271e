import { execFile, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { openClients } from '../harness/clients.ts';
import { percentile } from '../harness/numbers.ts';

/** The load of one contender for a while: the bodies in turn, on all connections. */
export interface GatewayLoad {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodies: readonly string[];
  readonly seconds: number;
}

export interface LoadSummary {
  readonly requests: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Sends requests, each connection one after another. */
export interface LoadGenerator {
  /** @throws {Error} when a response is not 2xx: failures are not worth measuring */
  load(load: GatewayLoad): Promise<LoadSummary>;
  close(): Promise<void>;
}

export interface LoadOptions {
  readonly connections: number;
  /** For the files of wrk. */
  readonly directory: string;
}

/** wrk leaves more of its core to the subgraphs than a client in Node does. */
const hasWrk = spawnSync('wrk', ['-v']).error === undefined;

/** Names the program that sends the requests, for the report. */
export const loadGeneratorName = hasWrk ? 'wrk' : 'undici, in Node; wrk is not installed';

export function openLoadGenerator(options: LoadOptions): LoadGenerator {
  return hasWrk ? createWrk(options) : openNodeClients(options.connections);
}

interface WrkResult extends LoadSummary {
  readonly faults: number;
}

function createWrk({ connections, directory }: LoadOptions): LoadGenerator {
  const script = join(import.meta.dirname, '../harness/wrk.lua');
  const bodiesPath = join(directory, 'bodies.jsonl');
  return {
    async load({ url, headers, bodies, seconds }) {
      await writeFile(bodiesPath, bodies.join('\n'));
      const fields = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
      // wrk takes whole seconds.
      const duration = `${Math.max(1, Math.round(seconds))}s`;
      const { stdout } = await promisify(execFile)('wrk', [
        '--threads=1',
        `--connections=${connections}`,
        `--duration=${duration}`,
        '--timeout=10s',
        `--script=${script}`,
        ...fields,
        url,
        '--',
        bodiesPath,
      ]);
      const { faults, ...summary }: WrkResult = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
      if (faults > 0) {
        throw new Error(`${url} failed ${faults} times`);
      }
      return summary;
    },
    close: () => Promise.resolve(),
  };
}

function openNodeClients(connections: number): LoadGenerator {
  const clients = openClients(connections);
  return {
    async load({ url, headers, bodies, seconds }) {
      const requestOf = (n: number) =>
        ({ method: 'POST', url, headers, body: bodies[n % bodies.length] ?? '' }) as const;
      const { latenciesMs, ...summary } = await clients.load({ requestOf, seconds });
      const sorted = latenciesMs.toSorted((one, other) => one - other);
      return { ...summary, p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) };
    },
    close: () => clients.close(),
  };
}
