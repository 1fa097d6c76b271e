import type { CircuitRules } from '@meridian/router-config';

export type CircuitState = 'closed' | 'half_open' | 'open';

/** The outcome of a request: `unknown` for one that was stopped before it had one. */
export type CallOutcome = 'success' | 'failure' | 'unknown';

/** A request that may be sent. */
export interface Permit {
  /** Called once, with its outcome. */
  readonly end: (outcome: CallOutcome) => void;
}

/** A request that may not be sent. */
export interface Rejection {
  /** Until the next trial. */
  readonly retryAfterMs: number;
}

/**
 * Counts the outcomes of the requests to one subgraph, and decides whether the next one may be sent. As in Apollo Router
 * 3, it opens after some failures in a row, or once a part of the latest requests has failed; after a time, one request
 * is a trial.
 */
export class Circuit {
  readonly #rules: CircuitRules;
  readonly #onChange: (state: CircuitState) => void;
  readonly #now: () => number;
  /** The latest outcomes, 1 for a failure. */
  readonly #window: Uint8Array;
  #count = 0;
  #next = 0;
  #failures = 0;
  #consecutive = 0;
  /** By the clock; undefined while it is closed. */
  #openUntilMs: number | undefined;
  /** The trial that is under way. */
  #trial: { readonly untilMs: number } | undefined;
  /** Rises with each change: an outcome from before it does not count. */
  #era = 0;

  /** @param onChange called with each new state */
  constructor(
    rules: CircuitRules,
    onChange: (state: CircuitState) => void,
    now: () => number = () => performance.now(),
  ) {
    this.#rules = rules;
    this.#onChange = onChange;
    this.#now = now;
    this.#window = new Uint8Array(rules.window_size);
  }

  get state(): CircuitState {
    if (this.#openUntilMs === undefined) {
      return 'closed';
    }
    return this.#trial === undefined && this.#now() < this.#openUntilMs ? 'open' : 'half_open';
  }

  admit(): Permit | Rejection {
    if (this.#openUntilMs === undefined) {
      const era = this.#era;
      return { end: (outcome) => this.#countOutcome(outcome, era) };
    }
    const nowMs = this.#now();
    if (this.#trial !== undefined && nowMs >= this.#trial.untilMs) {
      this.#open();
    }
    const waitMs = (this.#trial?.untilMs ?? this.#openUntilMs) - nowMs;
    return waitMs > 0 ? { retryAfterMs: waitMs } : this.#try(nowMs);
  }

  #try(nowMs: number): Permit {
    const trial = { untilMs: nowMs + this.#rules.open_duration };
    this.#trial = trial;
    this.#onChange('half_open');
    return {
      end: (outcome) => {
        if (this.#trial !== trial) {
          return;
        }
        this.#trial = undefined;
        if (outcome === 'success') {
          this.#close();
        } else if (outcome === 'failure') {
          this.#open();
        }
        // The next request is the trial in place of one without an outcome.
      },
    };
  }

  #countOutcome(outcome: CallOutcome, era: number): void {
    if (outcome === 'unknown' || era !== this.#era) {
      return;
    }
    const { window_size: size, min_requests, failure_rate_threshold, consecutive_failures } = this.#rules;
    const failed = outcome === 'failure' ? 1 : 0;
    this.#failures += failed - (this.#count === size ? (this.#window[this.#next] ?? 0) : 0);
    this.#window[this.#next] = failed;
    this.#next = (this.#next + 1) % size;
    this.#count = Math.min(this.#count + 1, size);
    this.#consecutive = failed === 1 ? this.#consecutive + 1 : 0;
    const isRateReached =
      this.#count >= min_requests && this.#failures >= failure_rate_threshold * this.#count;
    if (failed === 1 && (this.#consecutive >= consecutive_failures || isRateReached)) {
      this.#open();
    }
  }

  #open(): void {
    this.#reset(this.#now() + this.#rules.open_duration);
    this.#onChange('open');
  }

  #close(): void {
    this.#reset(undefined);
    this.#onChange('closed');
  }

  #reset(openUntilMs: number | undefined): void {
    this.#openUntilMs = openUntilMs;
    this.#trial = undefined;
    this.#era += 1;
    this.#count = 0;
    this.#next = 0;
    this.#failures = 0;
    this.#consecutive = 0;
  }
}
