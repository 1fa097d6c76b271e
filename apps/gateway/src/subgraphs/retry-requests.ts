import type { SubgraphInterceptor } from '@meridian/executor';
import { SubgraphFailure } from '@meridian/executor';
import type { RetryRules } from '@meridian/router-config';

/**
 * Sends a request again, one time, if the subgraph could not be reached, or responded with a status that says it is at fault,
 * as long as the budget allows. One that was not sent, or whose time is over, is not sent again.
 */
export function retryRequests<Run>(rules: RetryRules): SubgraphInterceptor<Run> {
  const budget = new RetryBudget(rules);
  return async (request, next) => {
    budget.countRequest();
    try {
      return await next(request);
    } catch (error) {
      const isRepeatable = request.operationKind === 'query' || rules.retry_mutations;
      if (!isRepeatable || request.signal.aborted || !mayPass(error) || !budget.takeRetry()) {
        throw error;
      }
      return await next(request);
    }
  };
}

const passingStatuses: ReadonlySet<number> = new Set([500, 502, 503, 504]);

/** True for a failure that may be gone a moment later. */
function mayPass(error: unknown): boolean {
  return (
    error instanceof SubgraphFailure &&
    error.code === 'SUBREQUEST_HTTP_ERROR' &&
    (error.status === undefined || passingStatuses.has(error.status))
  );
}

/** A time is counted in so many parts, the oldest of which is forgotten as a whole. */
const partsOfTime = 10;

/** Allows a number of retries in a time, and more for a part of the requests. */
export class RetryBudget {
  readonly #rules: Pick<RetryRules, 'min_per_sec' | 'retry_percent' | 'ttl'>;
  readonly #now: () => number;
  readonly #requests: number[] = Array.from({ length: partsOfTime }, () => 0);
  readonly #retries: number[] = Array.from({ length: partsOfTime }, () => 0);
  /** Of the latest count, since the start of the clock. */
  #part = 0;

  constructor(
    rules: Pick<RetryRules, 'min_per_sec' | 'retry_percent' | 'ttl'>,
    now: () => number = () => performance.now(),
  ) {
    this.#rules = rules;
    this.#now = now;
  }

  countRequest(): void {
    const at = this.#current();
    this.#requests[at] = (this.#requests[at] ?? 0) + 1;
  }

  /** Counts a retry, and returns true, if one is allowed. */
  takeRetry(): boolean {
    const at = this.#current();
    const { min_per_sec, retry_percent, ttl } = this.#rules;
    const allowed = (min_per_sec * ttl) / 1000 + retry_percent * sum(this.#requests);
    const isAllowed = sum(this.#retries) + 1 <= allowed;
    if (isAllowed) {
      this.#retries[at] = (this.#retries[at] ?? 0) + 1;
    }
    return isAllowed;
  }

  /** The index of the current part; parts whose time has passed are empty then. */
  #current(): number {
    const part = Math.floor((this.#now() * partsOfTime) / this.#rules.ttl);
    for (let next = Math.max(this.#part + 1, part - partsOfTime + 1); next <= part; next += 1) {
      this.#requests[next % partsOfTime] = 0;
      this.#retries[next % partsOfTime] = 0;
    }
    this.#part = part;
    return part % partsOfTime;
  }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
