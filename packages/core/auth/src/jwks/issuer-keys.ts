import { identityUnavailable } from '../problems.ts';
import type { SigningAlgorithm } from './signing-algorithms.ts';
import type { VerificationKey } from './verification-key.ts';

export interface IssuerKeysOptions {
  /** Gets the published keys; settles in bounded time. */
  readonly load: () => Promise<readonly VerificationKey[]>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Keys of this age are loaded again while they are in use. Default: a minute. At most half a day. */
  readonly refreshAgeMs?: number | undefined;
  /** Called each time that `load` rejects. */
  readonly onFailure: (error: unknown) => void;
}

/** Soon enough to reject tokens of a withdrawn key. */
const usualRefreshAgeMs = 60_000;
/** Keys that have not been used for this many refreshes are loaded again before their next use. */
const idleRefreshes = 5;
/** Keys of this age are no longer used, even in an outage. */
const maxAgeMs = 24 * 60 * 60 * 1000;
/** The pause between two loads because of an unknown `kid`, and between two attempts in an outage. */
const minIntervalMs = 30_000;
/** The first pause while no load has ever succeeded; each further one is twice as long, up to `minIntervalMs`. */
const firstPauseMs = 1_000;

/**
 * The keys that one issuer publishes, as last seen. At most one load is under way; all callers wait for the same one.
 *
 * Contract: Identity.
 */
export class IssuerKeys {
  readonly #options: IssuerKeysOptions;
  readonly #refreshAgeMs: number;
  /** Keys by the text of their JWK. */
  #keys: ReadonlyMap<string, VerificationKey> = new Map();
  #loadedAtMs = -Infinity;
  #nextLoadMs = -Infinity;
  #pauseMs = firstPauseMs;
  #loading: Promise<void> | undefined;
  /** The error of the last load; `undefined` after a success. */
  #failure: { readonly error: unknown } | undefined;

  constructor(options: IssuerKeysOptions) {
    this.#options = options;
    this.#refreshAgeMs = Math.min(options.refreshAgeMs ?? usualRefreshAgeMs, maxAgeMs / 2);
  }

  /**
   * The keys that may have signed a token: those that fit its algorithm and have its `kid`, or any `kid` if it has
   * none.
   *
   * An unknown `kid` loads the keys again, if the last load was long enough ago. Rejects with the problem `unavailable`
   * when the `kid` is unknown, or nothing is known at all, and the JWKS is down.
   */
  async find(token: {
    readonly kid: string | undefined;
    readonly algorithm: SigningAlgorithm;
  }): Promise<readonly VerificationKey[]> {
    const { kid, algorithm } = token;
    const isRefreshed = await this.#refreshBeforeUse();
    if (!isRefreshed && !this.#knows(kid)) {
      await this.#loadForUnknownKid();
    }
    if (this.#failure !== undefined && (this.#isExpired() || !this.#knows(kid))) {
      throw identityUnavailable(this.#secondsToNextLoad(), this.#failure.error);
    }
    return [...this.#keys.values()].filter(
      (key) => key.algorithms.has(algorithm) && (kid === undefined || kid === key.kid),
    );
  }

  /** True when the issuer still publishes a key that `find` returned. */
  has(key: VerificationKey): boolean {
    void this.#refreshIfDue();
    return this.#keys.has(key.jwkText) && !this.#isExpired();
  }

  /** Resolves to true when the keys have just been loaded. Waits for a load only if the known keys do not suffice. */
  async #refreshBeforeUse(): Promise<boolean> {
    const isIdle = this.#ageMs() >= this.#refreshAgeMs * idleRefreshes && this.#failure === undefined;
    const refresh = this.#refreshIfDue();
    if (refresh === undefined || !(isIdle || this.#isExpired())) {
      return false;
    }
    await refresh;
    return true;
  }

  #refreshIfDue(): Promise<void> | undefined {
    return this.#ageMs() >= this.#refreshAgeMs ? this.#loadUnlessTooSoon() : undefined;
  }

  async #loadForUnknownKid(): Promise<void> {
    const load = this.#loadUnlessTooSoon();
    if (load !== undefined) {
      this.#nextLoadMs = this.#options.now() + minIntervalMs;
      await load;
    }
  }

  #loadUnlessTooSoon(): Promise<void> | undefined {
    if (this.#loading === undefined && this.#options.now() >= this.#nextLoadMs) {
      this.#loading = this.#load().finally(() => {
        this.#loading = undefined;
      });
    }
    return this.#loading;
  }

  async #load(): Promise<void> {
    const startedAtMs = this.#options.now();
    try {
      const keys = await this.#options.load();
      this.#keys = new Map(keys.map((key) => [key.jwkText, key]));
      this.#loadedAtMs = startedAtMs;
      this.#pauseMs = minIntervalMs;
      this.#failure = undefined;
    } catch (error) {
      this.#failure = { error };
      this.#nextLoadMs = startedAtMs + this.#pauseMs;
      this.#pauseMs = Math.min(this.#pauseMs * 2, minIntervalMs);
      this.#options.onFailure(error);
    }
  }

  #knows(kid: string | undefined): boolean {
    return kid === undefined || this.#keys.values().some((key) => key.kid === kid);
  }

  #isExpired(): boolean {
    return this.#ageMs() >= maxAgeMs;
  }

  #ageMs(): number {
    return this.#options.now() - this.#loadedAtMs;
  }

  #secondsToNextLoad(): number {
    return Math.max(1, Math.ceil((this.#nextLoadMs - this.#options.now()) / 1000));
  }
}
