import type { IncomingMessage, ServerResponse } from 'node:http';

import { problem } from '@meridian/problem-details';

import { ClientDisconnected } from '../exchange/early-end.ts';
import { callerOf } from './authenticate.ts';
import { createFairLimit } from './fair-limit.ts';
import { peekLoadPlace } from './limit-load.ts';
import { peekSignal } from './request-deadline.ts';

/** The maximum of requests that wait in a process, such as long polls and streams of events. */
export interface WaitingLimits {
  /** The requests of all tenants. */
  readonly maxWaiting: number;
  /** The requests of one tenant. */
  readonly maxTenantWaiting: number;
}

/** Requests that wait for something to happen. They cost a connection each, and no work. */
export interface WaitingRequests {
  /**
   * Lets a request wait from now on, until its response is over: it counts no longer towards the limit of load, and its
   * deadline has ended.
   *
   * @throws {Problem} `unavailable` where too many wait. It is fair, as in `limitLoad`
   * @throws {ClientDisconnected} when the client has left
   */
  begin(request: IncomingMessage, response: ServerResponse): void;
  /** The number of requests that wait now. */
  readonly count: number;
}

export function limitWaiting({ maxWaiting, maxTenantWaiting }: WaitingLimits): WaitingRequests {
  const limit = createFairLimit(maxWaiting, maxTenantWaiting);
  let count = 0;
  return {
    get count() {
      return count;
    },
    begin(request, response) {
      const { tenantId } = callerOf(request);
      if (response.closed) {
        throw new ClientDisconnected();
      }
      if (!limit.take(tenantId, 1)) {
        throw problem('unavailable', 'Too many requests of the tenant wait for events: try again later.');
      }
      count += 1;
      response.once('close', () => {
        limit.release(tenantId, 1);
        count -= 1;
      });
      peekLoadPlace(request)?.leave();
      peekSignal(request)?.endDeadline();
    },
  };
}
