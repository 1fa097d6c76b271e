import { refusal } from '../../refusal.ts';

/** So much in each interval. */
export interface RateLimit {
  readonly capacity: number;
  readonly intervalMs: number;
}

export interface ThrottleOptions {
  /** What all callers together may use; absent: as much as they like. */
  readonly global?: RateLimit | undefined;
  /** What each tenant may use. */
  readonly tenant?: RateLimit | undefined;
  /** Milliseconds, from any start; a clock that never goes back. */
  readonly now?: () => number;
}

/** Counts what requests cost, for all together and for each tenant. */
export interface Throttle {
  /**
   * Counts the cost of a request that is about to run.
   *
   * @throws {Refusal} REQUEST_RATE_LIMITED where the interval has too little left; nothing is counted then
   */
  admit(cost: number, tenantId: string | undefined): void;
  /** Counts 1 for a request that was refused, for whatever reason. */
  countRefused(tenantId: string | undefined): void;
}

/**
 * Creates the throttle of this process. An interval begins with the first request after the one before has ended, and has
 * the whole capacity.
 *
 * Spec: Limits, rule 2, and "Global rate limit".
 */
export function createThrottle({ global, tenant, now = () => performance.now() }: ThrottleOptions): Throttle {
  const all = global && createBudget(global, now);
  const byTenant = tenant && createTenantBudgets(tenant, now);

  const budgetsOf = (tenantId: string | undefined): readonly Budget[] =>
    [all, tenantId === undefined ? undefined : byTenant?.(tenantId)].filter((budget) => budget !== undefined);

  return {
    admit(cost, tenantId) {
      const counted = Math.max(1, cost);
      const budgets = budgetsOf(tenantId);
      const exhausted = budgets.filter((budget) => budget.left() < counted);
      if (exhausted.length > 0) {
        const waitMs = Math.max(...exhausted.map((budget) => budget.msToNext()));
        throw refusal('REQUEST_RATE_LIMITED', 'Too much was asked for in too short a time: try again later', {
          headers: { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))) },
        });
      }
      for (const budget of budgets) {
        budget.use(counted);
      }
    },
    countRefused(tenantId) {
      for (const budget of budgetsOf(tenantId)) {
        budget.use(Math.min(1, budget.left()));
      }
    },
  };
}

/** What is left of a rate limit. */
interface Budget {
  left(): number;
  use(amount: number): void;
  msToNext(): number;
}

function createBudget({ capacity, intervalMs }: RateLimit, now: () => number): Budget {
  let endsMs = Number.NEGATIVE_INFINITY;
  let left = capacity;
  const renew = (): void => {
    if (now() >= endsMs) {
      endsMs = now() + intervalMs;
      left = capacity;
    }
  };
  return {
    left() {
      renew();
      return left;
    },
    use(amount) {
      left -= amount;
    },
    msToNext: () => endsMs - now(),
  };
}

/** How many tenants' budgets are held before those whose interval is over are dropped. */
const sweptTenants = 10_000;

function createTenantBudgets(limit: RateLimit, now: () => number): (tenantId: string) => Budget {
  const budgets = new Map<string, Budget>();
  return (tenantId) => {
    const known = budgets.get(tenantId);
    if (known !== undefined) {
      return known;
    }
    if (budgets.size >= sweptTenants) {
      for (const [id, budget] of budgets) {
        if (budget.msToNext() <= 0) {
          budgets.delete(id);
        }
      }
    }
    const budget = createBudget(limit, now);
    budgets.set(tenantId, budget);
    return budget;
  };
}
