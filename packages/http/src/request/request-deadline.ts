import { createRequestSlot } from './request-slot.ts';
import type { Middleware } from './middleware.ts';

/** The request's deadline has passed. Its response is 504 `upstream-timeout`. */
export class DeadlineExceeded extends Error {
  constructor(deadlineMs: number) {
    super(`the request took more than its ${deadlineMs} ms`);
    this.name = 'DeadlineExceeded';
  }
}

/** The client hung up before it got its response: the rest of the work is unnecessary. */
export class ClientDisconnected extends Error {
  constructor() {
    super('the client closed the connection before the response');
    this.name = 'ClientDisconnected';
  }
}

const slot = createRequestSlot<AbortSignal>('requestDeadline');

/**
 * The signal of a request that passed `requestDeadline`. When it aborts, its reason is a `DeadlineExceeded` or a
 * `ClientDisconnected`.
 */
export const signalOf = slot.read;

/** The signal of a request; undefined if it did not pass `requestDeadline`. */
export const peekSignal = slot.peek;

/** Gives each request a signal that aborts at its deadline, and when its client hangs up. */
export function requestDeadline(deadlineMs: number): Middleware {
  const deadlines = createDeadlines(deadlineMs);
  return (request, response, next) => {
    const controller = new AbortController();
    const end = deadlines(() => controller.abort(new DeadlineExceeded(deadlineMs)));
    response.on('close', () => {
      end();
      if (!response.writableFinished) {
        controller.abort(new ClientDisconnected());
      }
    });
    slot.fill(request, controller.signal);
    next();
  };
}

/** Something that has until then. */
interface Running {
  /** By `performance.now`. */
  readonly untilMs: number;
  readonly expire: () => void;
}

/**
 * Starts deadlines of one length: they pass in the order in which they were started, so one timer is enough. To set and
 * to clear a timer for each would cost a small request a twentieth of its time.
 *
 * @returns a function that starts one, and returns a function that ends it
 */
function createDeadlines(lengthMs: number): (expire: () => void) => () => void {
  const running = new Set<Running>();
  let timer: NodeJS.Timeout | undefined;
  const expireDue = (): void => {
    timer = undefined;
    const nowMs = performance.now();
    for (const deadline of running) {
      const leftMs = deadline.untilMs - nowMs;
      if (leftMs > 0) {
        timer = setTimeout(expireDue, Math.ceil(leftMs)).unref();
        return;
      }
      running.delete(deadline);
      deadline.expire();
    }
  };
  return (expire) => {
    const deadline = { untilMs: performance.now() + lengthMs, expire };
    running.add(deadline);
    timer ??= setTimeout(expireDue, lengthMs).unref();
    return () => void running.delete(deadline);
  };
}
