// The thread of `HookWatch`.
import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

import { beatMs, blockedMs, watchedPlaces } from './watched-places.ts';

/** The hooks of a graph. */
interface Watched {
  readonly memory: SharedArrayBuffer;
  readonly names: readonly string[];
  /** True for lines as JSON. */
  readonly isJson: boolean;
  /** Of each line: the process and, of several, the graph. */
  readonly members: Readonly<Record<string, unknown>>;
}

export interface WatchMessage {
  readonly key: number;
  /** Undefined once they are no longer in use. */
  readonly watched?: Watched;
}

interface Suspect {
  readonly name: string;
  readonly of: Watched;
}

const graphs = new Map<number, Watched>();
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `HookWatch` gives it
const beatCells = new Int32Array(workerData as SharedArrayBuffer);
let seenBeats = -1;
let sinceMs = performance.now();
let isReported = false;

parentPort?.on('message', ({ key, watched }: WatchMessage) => {
  if (watched === undefined) {
    graphs.delete(key);
  } else {
    graphs.set(key, watched);
  }
});

setInterval(() => {
  const beats = Atomics.load(beatCells, 0);
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

function suspects(): readonly Suspect[] {
  const cells = Array.from(graphs.values(), (of) => ({ of, counts: new Int32Array(of.memory) }));
  const running = cells.flatMap(({ of, counts }): Suspect[] => {
    const name = of.names[Atomics.load(counts, watchedPlaces.running) - 1];
    return name === undefined ? [] : [{ name, of }];
  });
  return running.length > 0
    ? running
    : cells.flatMap(({ of, counts }) =>
        of.names
          .filter((_name, index) => Atomics.load(counts, watchedPlaces.pending + index) > 0)
          .map((name) => ({ name, of })),
      );
}

/** Standard output of a thread passes through the loop that is blocked: this writes to the file itself. */
function writeLine(found: readonly Suspect[], forMs: number): void {
  const msg = 'a hook blocks the event loop';
  const time = new Date().toISOString();
  const { isJson, members } = found[0]!.of;
  const { graph, ...others } = members;
  const isOfOne = found.every(({ of }) => of.members['graph'] === graph);
  const hooks = found.map(({ name, of }) => (isOfOne ? name : `${name} of ${String(of.members['graph'])}`));
  const line = { level: 'error', time, ...(isOfOne ? members : others), hooks, blockedMs: forMs, msg };
  const ofGraph = isOfOne && graph !== undefined ? `  graph=${String(members['graph'])}` : '';
  const text = isJson
    ? JSON.stringify(line)
    : `${time} ERROR ${msg}: ${hooks.join(', ')} (${forMs} ms)${ofGraph}`;
  try {
    writeSync(1, `${text}\n`);
  } catch {
    // A pipe that is full: the line is lost.
  }
}
