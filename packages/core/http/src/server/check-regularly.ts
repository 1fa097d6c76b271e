import type { Server } from 'node:http';

/** The interval between checks, in milliseconds. */
export const checkEveryMs = 1000;

/**
 * Calls a check of connections' times each second, until the server has closed. A check that is late is left out: where
 * the event loop was blocked, or the process had no CPU, clients' bytes wait that are not read yet.
 */
export function checkRegularly(server: Server, check: () => void): void {
  let latestMs = performance.now();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const isLate = nowMs - latestMs > 2 * checkEveryMs;
    latestMs = nowMs;
    if (!isLate) {
      check();
    }
  }, checkEveryMs).unref();
  server.once('close', () => clearInterval(timer));
}
