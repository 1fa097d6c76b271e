import { problem } from '@meridian/problem-details';

import { ClientDisconnected } from '../exchange/early-end.ts';
import { callerOf } from './authenticate.ts';
import { createFairLimit } from './fair-limit.ts';
import type { Middleware } from './middleware.ts';
import { bodyCounter } from '../exchange/read-body.ts';
import type { ByteCounter } from '../exchange/read-body.ts';
import { createRequestSlot } from '../exchange/request-slot.ts';

/** The maximum of requests that a process handles at once. */
export interface LoadLimits {
  /** The requests of all tenants. */
  readonly maxInFlight: number;
  /** The requests of one tenant. */
  readonly maxTenantInFlight: number;
  /** The bytes of bodies that arrive in portions, of all requests together. Default: 64 MiB. */
  readonly maxBodyBytes?: number;
}

/** A request that counts towards the limit of load. */
interface LoadPlace extends ByteCounter {
  /** The request counts no longer, though its response is not out. */
  leave(): void;
}

const place = createRequestSlot<LoadPlace>('limitLoad');

/** The place of a request under the limit of load; undefined if it did not pass `limitLoad`. */
export const peekLoadPlace = place.peek;

const defaultMaxBodyBytes = 64 * 1024 * 1024;

/**
 * Rejects requests that the process could not finish, with 503 `unavailable`; runs after `authenticate`. An immediate
 * rejection costs a client less than a response that comes too late. It is fair: a full process rejects only tenants
 * that already have their equal share (`createFairLimit`), so other tenants still get in.
 *
 * Contract: Resource API, "Order of checks".
 */
export function limitLoad({
  maxInFlight,
  maxTenantInFlight,
  maxBodyBytes = defaultMaxBodyBytes,
}: LoadLimits): Middleware {
  const limit = createFairLimit(maxInFlight, maxTenantInFlight);
  const bodies = createFairLimit(maxBodyBytes);
  return (request, response, next) => {
    const { tenantId } = callerOf(request);
    if (response.closed) {
      // Its client left while the token was verified: nothing would give its place back.
      throw new ClientDisconnected();
    }
    if (!limit.take(tenantId, 1)) {
      throw problem('unavailable', 'Too many requests of the tenant are under way: try again later.');
    }
    let bodyBytes = 0;
    let hasPlace = true;
    const own: LoadPlace = {
      leave() {
        if (hasPlace) {
          hasPlace = false;
          limit.release(tenantId, 1);
        }
      },
      count(bytes) {
        if (!bodies.take(tenantId, bytes)) {
          throw problem(
            'unavailable',
            'The bodies of requests under way have too many bytes: try again later.',
            {
              headers: { Connection: 'close' },
            },
          );
        }
        bodyBytes += bytes;
      },
    };
    place.fill(request, own);
    bodyCounter.fill(request, own);
    response.once('close', () => {
      own.leave();
      bodies.release(tenantId, bodyBytes);
    });
    next();
  };
}
