import type { ByteCounter, FairLimit } from '@meridian/http';
import { createFairLimit } from '@meridian/http';

import type { TrafficLimits } from '../config/traffic-limits.ts';
import { requestError } from '../errors/request-error.ts';

/** Keeps the gateway from taking on more than it can finish, and each tenant from taking it all. */
export interface LoadLimit {
  /**
   * Rejects a request before its caller is known, if there is no room for anyone's.
   *
   * @throws {RequestError} REQUEST_CONCURRENCY_LIMITED or SERVICE_OVERLOADED
   */
  checkRoom(): void;
  /**
   * Creates the load of a request, before its body is read. It takes no place yet: a client that sends slowly would
   * keep others out.
   *
   * @param tenantId undefined for anonymous callers, who share as one tenant does
   * @throws {RequestError} REQUEST_CONCURRENCY_LIMITED if there is no room for this tenant's
   */
  begin(tenantId: string | undefined): RequestLoad;
}

/** The part of the limits that one request takes. */
export interface RequestLoad extends ByteCounter {
  /**
   * Counts bytes of the request's body.
   *
   * @throws {RequestError} SERVICE_OVERLOADED when the bodies under way have too many
   */
  count(bytes: number): void;
  /**
   * Takes a place.
   *
   * @throws {RequestError} REQUEST_CONCURRENCY_LIMITED or SERVICE_OVERLOADED
   */
  acquirePlace(): void;
  /** Gives back what the request has taken. Called once, at its end. */
  release(): void;
}

/** The name under which anonymous callers share: no tenant has it. */
const anonymous = '';

/**
 * Creates the load limit. An immediate rejection costs a client less than a response that comes too late, and
 * the gateway almost nothing: it happens before the body is read. A full gateway rejects only tenants that have their
 * equal share already.
 *
 * Contract: Gateway, "503 draining or overloaded".
 *
 * @param eventLoopDelayMs the recent delay; from `watchEventLoop` in a process
 */
export function createLoadLimit(
  { maxInFlight = Number.POSITIVE_INFINITY, maxEventLoopDelayMs, maxBodyBytes }: TrafficLimits['load'],
  eventLoopDelayMs: () => number,
): LoadLimit {
  const places = createFairLimit(maxInFlight);
  const bodies = createFairLimit(maxBodyBytes);

  const checkRoom = (): void => {
    if (places.isExhausted()) {
      throw tooManyRequests();
    }
    if (eventLoopDelayMs() > maxEventLoopDelayMs) {
      throw tooBusy('SERVICE_OVERLOADED', 'The gateway has too much to do');
    }
  };
  const shared = { places, bodies, checkRoom };
  return {
    checkRoom,
    begin(tenantId = anonymous) {
      if (!places.hasRoom(tenantId, 1)) {
        throw tooManyRequests();
      }
      return new CountedLoad(tenantId, shared);
    },
  };
}

interface SharedLoad {
  readonly places: FairLimit;
  readonly bodies: FairLimit;
  readonly checkRoom: () => void;
}

class CountedLoad implements RequestLoad {
  readonly #tenantId: string;
  readonly #shared: SharedLoad;
  #hasPlace = false;
  #bodyBytes = 0;

  constructor(tenantId: string, shared: SharedLoad) {
    this.#tenantId = tenantId;
    this.#shared = shared;
  }

  count(bytes: number): void {
    if (!this.#shared.bodies.take(this.#tenantId, bytes)) {
      throw tooManyBytes();
    }
    this.#bodyBytes += bytes;
  }

  acquirePlace(): void {
    const { places, checkRoom } = this.#shared;
    checkRoom();
    if (!places.take(this.#tenantId, 1)) {
      throw tooManyRequests();
    }
    this.#hasPlace = true;
  }

  release(): void {
    if (this.#hasPlace) {
      this.#shared.places.release(this.#tenantId, 1);
    }
    if (this.#bodyBytes > 0) {
      this.#shared.bodies.release(this.#tenantId, this.#bodyBytes);
    }
  }
}

/** The rejection for want of a place. */
export function tooManyRequests(): Error {
  return tooBusy('REQUEST_CONCURRENCY_LIMITED', 'Too many requests are under way');
}

/** The rejection for want of anything else. */
export function tooManyBytes(): Error {
  // The rest of the body would still have to be read.
  return tooBusy('SERVICE_OVERLOADED', 'The bodies under way have too many bytes', { Connection: 'close' });
}

function tooBusy(
  code: 'REQUEST_CONCURRENCY_LIMITED' | 'SERVICE_OVERLOADED',
  reason: string,
  headers: Readonly<Record<string, string>> = {},
): Error {
  return requestError(code, `${reason}: try again later`, { headers: { 'Retry-After': '1', ...headers } });
}
