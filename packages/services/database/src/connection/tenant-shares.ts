/** The recent use that tenants have made of the connections of a process, and so of its event loop. */
export interface TenantShares {
  /** The tenant is active from now on for a second. */
  noteRequest(tenantId: string, nowMs: number): void;
  /** Adds the time for which the tenant had a connection. */
  noteUse(tenantId: string, heldMs: number, nowMs: number): void;
  /** Returns true while other tenants are active too, and the tenant has used more than an equal share. */
  isAbove(tenantId: string, nowMs: number): boolean;
  /**
   * The time that the event loop takes for one use of a connection by the tenant: to send statements, to parse rows, to
   * render and send responses. It is the tenant's part of the loop's busy time, as large as its part of the time on
   * connections.
   */
  loopMsPerUse(tenantId: string, nowMs: number): number;
}

/** The time for which a tenant counts as active after its last request. */
const activeMs = 1000;
/** A tenant that is above its share by less has just come, or hardly uses anything. */
const slackMs = 10;

interface TenantUse {
  requestedMs: number;
  readonly uses: DecayingSum;
  readonly heldMs: DecayingSum;
}

/** @param busyMs of the event loop since some time in the past */
export function createTenantShares(
  busyMs: () => number = () => performance.eventLoopUtilization().active,
): TenantShares {
  // The tenant whose last request is the oldest comes first.
  const active = new Map<string, TenantUse>();
  const [allHeldMs, loopMs] = [createDecayingSum(), createDecayingSum()];
  let lastBusyMs = busyMs();

  const forgetInactive = (nowMs: number): void => {
    for (const [tenantId, { requestedMs }] of active) {
      if (requestedMs >= nowMs - activeMs) {
        return;
      }
      active.delete(tenantId);
    }
  };

  return {
    noteRequest(tenantId, nowMs) {
      const use = active.get(tenantId) ?? {
        requestedMs: nowMs,
        uses: createDecayingSum(),
        heldMs: createDecayingSum(),
      };
      use.requestedMs = nowMs;
      active.delete(tenantId);
      active.set(tenantId, use);
    },
    noteUse(tenantId, heldMs, nowMs) {
      const use = active.get(tenantId);
      use?.uses.add(1, nowMs);
      use?.heldMs.add(heldMs, nowMs);
      allHeldMs.add(heldMs, nowMs);
      const nowBusyMs = busyMs();
      loopMs.add(nowBusyMs - lastBusyMs, nowMs);
      lastBusyMs = nowBusyMs;
    },
    isAbove(tenantId, nowMs) {
      forgetInactive(nowMs);
      const use = active.get(tenantId);
      return (
        use !== undefined &&
        active.size > 1 &&
        use.heldMs.at(nowMs) > allHeldMs.at(nowMs) / active.size + slackMs
      );
    },
    loopMsPerUse(tenantId, nowMs) {
      const use = active.get(tenantId);
      if (use === undefined) {
        return 0;
      }
      const part = use.heldMs.at(nowMs) / Math.max(allHeldMs.at(nowMs), Number.MIN_VALUE);
      return (loopMs.at(nowMs) * part) / Math.max(use.uses.at(nowMs), 1);
    },
  };
}

/** A sum in which what was added a second ago counts for a third. */
interface DecayingSum {
  add(amount: number, nowMs: number): void;
  at(nowMs: number): number;
}

function createDecayingSum(): DecayingSum {
  let [sum, summedMs] = [0, 0];
  const at = (nowMs: number): number => sum * Math.exp((summedMs - nowMs) / activeMs);
  return {
    add(amount, nowMs) {
      [sum, summedMs] = [at(nowMs) + amount, nowMs];
    },
    at,
  };
}
