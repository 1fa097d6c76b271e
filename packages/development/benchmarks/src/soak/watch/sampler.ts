import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

import type { Tally } from '../load/tally.ts';

/** The figures of a run from the previous sample to this one. */
export interface Sample {
  readonly atSeconds: number;
  readonly responsesPerSecond: number;
  /** Undefined without any response. */
  readonly p50Ms: number | undefined;
  readonly p99Ms: number | undefined;
  /** Undefined while the gateway was away. */
  readonly held: Held | undefined;
}

/** Takes samples of a run. */
export class Sampler {
  /** In order. */
  readonly samples: Sample[] = [];
  readonly #gateway: WatchedGateway;
  readonly #tally: Tally;
  readonly #startedMs: number;
  #lastMs: number;

  /** `startedMs`: the start of the run, by `performance.now()`. */
  constructor(gateway: WatchedGateway, tally: Tally, startedMs: number) {
    this.#gateway = gateway;
    this.#tally = tally;
    this.#startedMs = startedMs;
    this.#lastMs = startedMs;
  }

  /** Takes a sample of the time since the previous one. */
  async take(): Promise<Sample> {
    const held = await heldBy(this.#gateway);
    const nowMs = performance.now();
    const sorted = this.#tally.takeLatencies().toSorted((one, other) => one - other);
    const sample = {
      atSeconds: (nowMs - this.#startedMs) / 1000,
      responsesPerSecond: (sorted.length * 1000) / (nowMs - this.#lastMs),
      p50Ms: sorted[Math.floor(sorted.length * 0.5)],
      p99Ms: sorted[Math.floor(sorted.length * 0.99)],
      held,
    };
    this.#lastMs = nowMs;
    this.samples.push(sample);
    return sample;
  }
}

/** A sample as a line of the report. */
export function describeSample({ atSeconds, responsesPerSecond, p50Ms, p99Ms, held }: Sample): string {
  return [
    `${atSeconds.toFixed(0)} s`.padStart(7),
    `${responsesPerSecond.toFixed(0)} responses/s`.padEnd(14),
    `p50 ${inMs(p50Ms)}`.padEnd(11),
    `p99 ${inMs(p99Ms)}`.padEnd(13),
    held === undefined
      ? 'no gateway'
      : `heap ${held.heapMiB.toFixed(1)} MiB  rss ${held.rssMiB.toFixed(0)} MiB  ${held.sockets} sockets`,
  ].join('  ');
}

function inMs(value: number | undefined): string {
  return value === undefined ? '–' : `${value.toFixed(0)} ms`;
}

/** The resources of the gateway's process at a moment. */
export interface Held {
  /** When the process was started, in seconds since 1970: another one was started later. */
  readonly processStart: number;
  /** The heap after a collection. */
  readonly heapMiB: number;
  readonly rssMiB: number;
  readonly sockets: number;
  readonly openFiles: number;
}

/** The endpoints that report a gateway's resources. */
interface WatchedGateway {
  readonly adminUrl: string;
  readonly inspectorPort: number;
}

/** Reads the gateway's resources; undefined while it is away. */
async function heldBy({ adminUrl, inspectorPort }: WatchedGateway): Promise<Held | undefined> {
  try {
    const heapBytes = await heapAfterCollection(inspectorPort);
    const text = await (await fetch(`${adminUrl}/metrics`)).text();
    const value = (name: string, label = ''): number =>
      Number(new RegExp(`^${name}\\{[^}]*${label}[^}]*\\} (\\S+)$`, 'm').exec(text)?.[1] ?? 0);
    return {
      processStart: value('process_start_time_seconds'),
      heapMiB: heapBytes / 2 ** 20,
      rssMiB: value('process_resident_memory_bytes') / 2 ** 20,
      sockets: value('nodejs_active_resources', 'type="TCPSocketWrap"'),
      openFiles: value('process_open_fds'),
    };
  } catch {
    return undefined;
  }
}

/** The number of Node's warnings in a log about listeners that pile up on one emitter. */
export async function listenerWarnings(logPath: string): Promise<number> {
  let warnings = 0;
  for await (const line of createInterface({ input: createReadStream(logPath) })) {
    warnings += line.includes('MaxListenersExceededWarning') ? 1 : 0;
  }
  return warnings;
}

/** The inspector's response to `Runtime.evaluate`. */
interface InspectorResponse {
  readonly result?: { readonly result?: { readonly value?: unknown } };
}

/**
 * Evaluated in the process: one full collection, like V8's own. (The protocol's `HeapProfiler.collectGarbage` runs up
 * to seven in a row, for a third of a second, which would delay clients.)
 */
const collectAndMeasure = `(() => {
  process.getBuiltinModule('node:v8').setFlagsFromString('--expose-gc');
  globalThis.collectForSoak ??= process.getBuiltinModule('node:vm').runInNewContext('gc');
  globalThis.collectForSoak();
  return process.memoryUsage().heapUsed;
})()`;

const timeoutMs = 30_000;

/**
 * Makes a Node process collect its garbage, and returns the rest of its heap, in bytes. The process runs with
 * `--inspect` at this port of 127.0.0.1.
 */
async function heapAfterCollection(inspectorPort: number): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${inspectorPort}/json/list`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of Node's own inspector
  const [target] = (await response.json()) as readonly { readonly webSocketDebuggerUrl: string }[];
  if (target === undefined) {
    throw new Error('The inspector has nothing to inspect');
  }
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  try {
    return await usedHeap(socket);
  } finally {
    socket.close();
  }
}

function usedHeap(socket: WebSocket): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(new Error('The inspector has closed the connection'));
    AbortSignal.timeout(timeoutMs).addEventListener('abort', fail);
    socket.addEventListener('error', fail);
    socket.addEventListener('close', fail);
    socket.addEventListener('open', () => {
      const params = { expression: collectAndMeasure, returnByValue: true };
      socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params }));
    });
    socket.addEventListener('message', ({ data }) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of Node's own inspector
      const { result } = JSON.parse(String(data)) as InspectorResponse;
      const bytes = result?.result?.value;
      if (typeof bytes === 'number') {
        resolve(bytes);
      } else {
        reject(new Error(`The process has not reported its heap: ${String(data)}`));
      }
    });
  });
}
