import type { LoadLimits } from '../config/traffic-limits.ts';
import { requestError } from '../errors/request-error.ts';

/** Keeps the gateway from taking on more than it can finish. */
export interface LoadLimit {
  /**
   * Rejects a request before its body is read, if there is no room for it. The request takes no place yet: a client
   * that sends slowly would keep others out.
   *
   * @throws {RequestError} REQUEST_CONCURRENCY_LIMITED or SERVICE_OVERLOADED
   */
  checkRoom(): void;
  /**
   * Takes a place for a request. The returned function frees it.
   *
   * @throws {RequestError} REQUEST_CONCURRENCY_LIMITED or SERVICE_OVERLOADED
   */
  acquirePlace(): () => void;
}

/**
 * Creates the load limit. An immediate rejection costs a client less than a response that comes too late, and
 * the gateway almost nothing: it happens before the token is verified and the body is read.
 *
 * Contract: Gateway, "503 draining or overloaded".
 *
 * @param eventLoopDelayMs the recent delay; from `watchEventLoop` in a process
 */
export function createLoadLimit(
  { maxInFlight = Number.POSITIVE_INFINITY, maxEventLoopDelayMs }: LoadLimits,
  eventLoopDelayMs: () => number,
): LoadLimit {
  let inFlight = 0;
  const checkRoom = (): void => {
    if (inFlight >= maxInFlight) {
      throw tooBusy('REQUEST_CONCURRENCY_LIMITED', 'Too many requests are under way');
    }
    if (eventLoopDelayMs() > maxEventLoopDelayMs) {
      throw tooBusy('SERVICE_OVERLOADED', 'The gateway has too much to do');
    }
  };
  return {
    checkRoom,
    acquirePlace() {
      checkRoom();
      inFlight += 1;
      return () => {
        inFlight -= 1;
      };
    },
  };
}

function tooBusy(code: 'REQUEST_CONCURRENCY_LIMITED' | 'SERVICE_OVERLOADED', reason: string): Error {
  return requestError(code, `${reason}: try again later`, { headers: { 'Retry-After': '1' } });
}
