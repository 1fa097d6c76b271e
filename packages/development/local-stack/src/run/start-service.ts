import { get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import type { ProcessRecord } from './process-record.ts';
import { startProgram } from './program.ts';
import type { Program } from './program.ts';
import type { Running } from './supervise.ts';

/** A start takes seconds on two busy cores; one that takes this long hangs. */
const startTimeoutMs = 60_000;

/** Longer than a service's own grace (`SHUTDOWN_GRACE_MS`, 10 s). */
const stopTimeoutMs = 12_000;

/** Starts a service. Its admin port reports when it is ready. */
export async function startService(
  program: Program,
  adminPort: number,
  record: ProcessRecord,
): Promise<Running> {
  const { child, ended } = await startProgram(program, record);
  const kill = (): boolean => child.kill('SIGKILL');
  const over = new AbortController();
  const timeout = setTimeout(kill, startTimeoutMs);
  const ready = untilReady(adminPort, over.signal).then(() => clearTimeout(timeout));
  return {
    // The wait ends when the service has ended.
    ready: new Promise((resolve) => void ready.then(resolve, () => undefined)),
    ended: ended.then(({ how }) => {
      clearTimeout(timeout);
      over.abort();
      return how;
    }),
    async stop() {
      child.kill('SIGTERM');
      const timeout = setTimeout(kill, stopTimeoutMs);
      await ended;
      clearTimeout(timeout);
    },
    kill,
  };
}

const pauseMs = 50;

/** Waits until the admin port of a service reports that it is ready. Rejects when the signal aborts. */
async function untilReady(adminPort: number, signal: AbortSignal): Promise<void> {
  while (!(await isReady(adminPort, signal))) {
    await delay(pauseMs, undefined, { signal });
  }
}

function isReady(port: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    // A connection for one request: the service must not wait for it when it stops.
    const request = get({ host: '127.0.0.1', port, path: '/readyz', agent: false, signal }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    // Not listening yet, or the wait is over; the pause below rejects then.
    request.on('error', () => resolve(false));
  });
}
