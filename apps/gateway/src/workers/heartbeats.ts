import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';

import type { Logger } from '@meridian/telemetry';

/** The interval between two heartbeats of a worker, and between two checks, in milliseconds. */
const everyMs = 500;
/** A message of a worker whose event loop turns. */
const heartbeat = 'heartbeat';

/** Tells the primary process at intervals that the event loop of this worker turns. */
export function sendHeartbeats(): void {
  setInterval(() => {
    const { worker } = cluster;
    if (worker?.isConnected() === true) {
      // The primary process may just have ended, which ends this worker.
      worker.send(heartbeat, () => {});
    }
  }, everyMs).unref();
}

/**
 * Ends workers that hang. `node:cluster` gives a worker one connection more than it takes, whose client would wait as
 * long as the worker hangs, and so would the clients that it had. When it exits, they see their connections closed.
 *
 * @param timeoutMs the longest time without a heartbeat
 */
export function awaitHeartbeats(timeoutMs: number, logger: Logger) {
  const latestMs = new Map<Worker, number>();
  let checkedMs = performance.now();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    // This process was late itself, or the whole machine: messages that have arrived are not read yet.
    const isLate = nowMs - checkedMs > 2 * everyMs;
    checkedMs = nowMs;
    for (const [worker, seenMs] of latestMs) {
      if (isLate) {
        latestMs.set(worker, nowMs);
      } else if (nowMs - seenMs > timeoutMs) {
        latestMs.delete(worker);
        logger.error({ pid: worker.process.pid, timeoutMs }, 'a worker hangs; ending it');
        worker.process.kill('SIGKILL');
      }
    }
  }, everyMs).unref();
  return {
    /** From now on the worker must send heartbeats, until it exits. */
    watch(worker: Worker): void {
      latestMs.set(worker, performance.now());
      worker.on('message', () => {
        if (latestMs.has(worker)) {
          latestMs.set(worker, performance.now());
        }
      });
      worker.once('exit', () => latestMs.delete(worker));
    },
    close: () => clearInterval(timer),
  };
}
