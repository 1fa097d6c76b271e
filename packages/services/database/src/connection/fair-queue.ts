import { createTenantShares } from './tenant-shares.ts';
import type { TenantShares } from './tenant-shares.ts';

/** Shares connections among tenants, so that no tenant waits for everything that another has requested. */
export interface FairQueue {
  /** Resolves when it is the tenant's turn. Tenants that wait take turns, each in the order of its own requests. */
  take(tenantId: string): Promise<Turn>;
  /** Ends a turn, and begins those that may begin now. */
  release(turn: Turn): void;
}

/** A connection in use by a tenant. */
export interface Turn {
  readonly tenantId: string;
  readonly begunMs: number;
  /** True where the tenant was above its share: its result is handled in an iteration of the event loop of its own. */
  readonly isPaced: boolean;
}

/** For calls that are nobody's, such as the check of readiness: tenants have all their turns beside it. */
export const noTenant = '';

/**
 * The time from one turn of a tenant above its share to the next, in times of what a turn takes of the event loop.
 * Others hardly notice turns of a tenth of a millisecond, which may follow each other at 1.9 times their length; turns
 * of a millisecond and more follow at ten times, and so take a tenth of the loop.
 */
const pace = (loopMs: number): number => 1 + 9 * Math.min(1, loopMs);
/** A timer is late by so much. What was to begin in the meantime begins with it. */
const timerMs = 1;

/**
 * Creates a queue for a number of connections. A tenant may have `maxOfTenant` of them at once. While other tenants
 * are active, one above its share begins turns at a pace that leaves the event loop free for most of the time: a turn
 * of another then waits neither in the queue nor in the loop.
 *
 * The pace is of beginnings alone. A turn never waits for another to end while a connection is left, so statements that
 * wait for a lock hold up no others, not even the one that holds it.
 *
 * @param maxOfTenant how many of them one tenant may have at once; the rest is left to others, whatever it holds on to
 */
export function createFairQueue(
  count: number,
  maxOfTenant: number,
  shares: TenantShares = createTenantShares(),
): FairQueue {
  let left = count;
  let timer: NodeJS.Timeout | undefined;
  /** When the next turn of a tenant above its share may begin. */
  let nextPacedMs = 0;
  const held = new Map<string, number>();
  // A Map keeps the order of insertion: the first tenant is the next one.
  const waiting = new Map<string, ((turn: Turn) => void)[]>();

  const heldBy = (tenantId: string): number => held.get(tenantId) ?? 0;

  /** The time until a tenant may begin a turn; infinite while one has to end first. */
  const msUntilTurn = (tenantId: string, nowMs: number): number => {
    if (left === 0 || heldBy(tenantId) >= maxOfTenant) {
      return Number.POSITIVE_INFINITY;
    }
    return shares.isAbove(tenantId, nowMs) ? Math.max(0, nextPacedMs - nowMs) : 0;
  };
  const begin = (tenantId: string, begunMs: number): Turn => {
    left -= 1;
    held.set(tenantId, heldBy(tenantId) + 1);
    const isPaced = shares.isAbove(tenantId, begunMs);
    if (isPaced) {
      const loopMs = shares.loopMsPerUse(tenantId, begunMs);
      nextPacedMs = Math.max(nextPacedMs, begunMs - timerMs) + loopMs * pace(loopMs);
    }
    return { tenantId, begunMs, isPaced };
  };
  const beginNextOf = (tenantId: string, nowMs: number): void => {
    const ofTenant = waiting.get(tenantId) ?? [];
    const first = ofTenant.shift();
    waiting.delete(tenantId);
    if (ofTenant.length > 0) {
      waiting.set(tenantId, ofTenant);
    }
    first?.(begin(tenantId, nowMs));
  };
  const beginWaiting = (): void => {
    clearTimeout(timer);
    const nowMs = performance.now();
    for (;;) {
      let soonestMs = Number.POSITIVE_INFINITY;
      const next = waiting.keys().find((tenantId) => {
        const ms = msUntilTurn(tenantId, nowMs);
        soonestMs = Math.min(soonestMs, ms);
        return ms === 0;
      });
      if (next === undefined) {
        if (soonestMs < Number.POSITIVE_INFINITY) {
          timer = setTimeout(beginWaiting, soonestMs);
        }
        return;
      }
      beginNextOf(next, nowMs);
    }
  };

  return {
    async take(tenantId) {
      const nowMs = performance.now();
      if (tenantId !== noTenant) {
        shares.noteRequest(tenantId, nowMs);
      }
      const ofTenant = waiting.get(tenantId);
      if (ofTenant === undefined && msUntilTurn(tenantId, nowMs) === 0) {
        return begin(tenantId, nowMs);
      }
      const { promise, resolve } = Promise.withResolvers<Turn>();
      if (ofTenant === undefined) {
        waiting.set(tenantId, [resolve]);
        beginWaiting();
      } else {
        ofTenant.push(resolve);
      }
      return promise;
    },
    release({ tenantId, begunMs }) {
      left += 1;
      if (heldBy(tenantId) > 1) {
        held.set(tenantId, heldBy(tenantId) - 1);
      } else {
        held.delete(tenantId);
      }
      const nowMs = performance.now();
      shares.noteUse(tenantId, nowMs - begunMs, nowMs);
      beginWaiting();
    },
  };
}
