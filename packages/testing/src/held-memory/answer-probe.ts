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
  let since = process.cpuUsage();
  const read = async (): Promise<ProbeReading> => {
    const { user, system } = process.cpuUsage(since);
    const stallMs = Math.max(0, delays.max / 1e6 - resolutionMs);
    for (let count = 0; count < collections; count += 1) {
      await nextTurn();
      globalThis.gc?.();
    }
    const { heapUsed, external } = process.memoryUsage();
    delays.reset();
    since = process.cpuUsage();
    return { heldBytes: heapUsed + external, cpuMs: (user + system) / 1000, stallMs };
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
