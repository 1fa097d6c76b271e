// Loaded into a process with `--import` and `--expose-gc` (see `createMemoryProbe`): it answers on a socket what the
// process holds after a garbage collection, and what it did since the previous answer.
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';

import type { ProbeReading } from './memory-probe.ts';

/** The interval of the ticks, which is part of each measured delay. */
const resolutionMs = 10;
/** One collection leaves what only finalizers, or objects of the next turn, let go of. */
const collections = 3;

const path = process.env['MEMORY_PROBE_PATH'];
if (path !== undefined && isMainThread) {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  /** The time of the collections: the probe causes them, not the process. */
  let collectingMs = 0;
  const workedMs = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000 - collectingMs;
  };
  const collect = (): void => {
    const startMs = workedMs();
    globalThis.gc?.();
    collectingMs += workedMs() - startMs;
  };
  let countedMs = workedMs();
  const read = async (): Promise<ProbeReading> => {
    const stallMs = Math.max(0, delays.max / 1e6 - resolutionMs);
    for (let count = 0; count < collections; count += 1) {
      await nextTurn();
      collect();
    }
    const { heapUsed, external } = process.memoryUsage();
    const nowMs = workedMs();
    const cpuMs = nowMs - countedMs;
    countedMs = nowMs;
    delays.reset();
    return { heldBytes: heapUsed + external, cpuMs, stallMs };
  };
  // A process that restarts itself leaves the socket of its first image behind.
  rmSync(path, { force: true });
  createServer((socket) => {
    socket.on('error', () => {});
    void read().then((reading) => socket.end(JSON.stringify(reading)));
  })
    .listen(path)
    .unref();
}
