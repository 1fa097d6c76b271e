import { get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

const pauseMs = 50;

/** Waits until the admin port of a service reports that it is ready. Rejects when the signal aborts. */
export async function untilReady(adminPort: number, signal: AbortSignal): Promise<void> {
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
