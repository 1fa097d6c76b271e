// The thread of `HookWatch`.
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

import { beatMs, blockedMs, watchedPlaces } from './watched-places.ts';

export interface WatchThreadData {
  readonly memory: SharedArrayBuffer;
  readonly names: readonly string[];
  /** True for lines as JSON. */
  readonly isJson: boolean;
  /** Of each line: the process and, of several, the graph. */
  readonly members: Readonly<Record<string, unknown>>;
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `HookWatch` gives it
const { memory, names, isJson, members } = workerData as WatchThreadData;
const cells = new Int32Array(memory);
let seenBeats = -1;
let sinceMs = performance.now();
let isReported = false;

setInterval(() => {
  const beats = Atomics.load(cells, watchedPlaces.beats);
  const nowMs = performance.now();
  if (beats !== seenBeats) {
    seenBeats = beats;
    sinceMs = nowMs;
    isReported = false;
    return;
  }
  const hooks = suspects();
  if (!isReported && nowMs - sinceMs >= blockedMs && hooks.length > 0) {
    isReported = true;
    writeLine(hooks, Math.round(nowMs - sinceMs));
  }
}, beatMs);

function suspects(): readonly string[] {
  const running = Atomics.load(cells, watchedPlaces.running);
  return running === 0
    ? names.filter((_name, index) => Atomics.load(cells, watchedPlaces.pending + index) > 0)
    : names.slice(running - 1, running);
}

/** Standard output of a thread passes through the loop that is blocked: this writes to the file itself. */
function writeLine(hooks: readonly string[], forMs: number): void {
  const msg = 'a hook blocks the event loop';
  const time = new Date().toISOString();
  const line = { level: 'error', time, ...members, hooks, blockedMs: forMs, msg };
  const graph = 'graph' in members ? `  graph=${String(members['graph'])}` : '';
  const text = isJson
    ? JSON.stringify(line)
    : `${time} ERROR ${msg}: ${hooks.join(', ')} (${forMs} ms)${graph}`;
  try {
    writeSync(1, `${text}\n`);
  } catch {
    // A pipe that is full: the line is lost.
  }
}
