/** Work that is done once for all callers that need it at the same time. */
export interface SingleFlight<Asked, Result> {
  /**
   * Joins equal work that is under way, or starts it. Rejects with the signal's reason once that has aborted.
   * The work is stopped, by its own signal, when the last caller has abandoned it.
   *
   * @param key a part of the input: inputs with different keys differ, and are not compared
   */
  join(
    key: string,
    asked: Asked,
    signal: AbortSignal,
    start: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result>;
}

interface UnderWay<Asked, Result> {
  readonly asked: Asked;
  readonly call: SharedCall<Result>;
}

/** @param isSame whether two that have the same key are the same */
export function createSingleFlight<Asked, Result>(
  isSame: (one: Asked, other: Asked) => boolean,
): SingleFlight<Asked, Result> {
  const byKey = new Map<string, readonly UnderWay<Asked, Result>[]>();

  const startCall = (
    key: string,
    asked: Asked,
    start: (signal: AbortSignal) => Promise<Result>,
  ): SharedCall<Result> => {
    const call = new SharedCall(start, () => remove(key, underWay));
    const underWay: UnderWay<Asked, Result> = { asked, call };
    byKey.set(key, [...(byKey.get(key) ?? []), underWay]);
    return call;
  };
  const remove = (key: string, underWay: UnderWay<Asked, Result>): void => {
    const others = byKey.get(key)?.filter((one) => one !== underWay) ?? [];
    if (others.length > 0) {
      byKey.set(key, others);
    } else {
      byKey.delete(key);
    }
  };

  return {
    join(key, asked, signal, start) {
      if (signal.aborted) {
        return Promise.reject(signal.reason);
      }
      const same = byKey.get(key)?.find((one) => isSame(one.asked, asked));
      return (same?.call ?? startCall(key, asked, start)).join(signal);
    },
  };
}

/** A call that several callers wait for. It is stopped when the last one has left. */
class SharedCall<Result> {
  readonly #controller = new AbortController();
  readonly #waiting = new Set<Waiting<Result>>();
  readonly #onEnd: () => void;

  /**
   * Starts it.
   *
   * @param onEnd called when it has ended, or when all have left: no caller may join it afterwards
   */
  constructor(start: (signal: AbortSignal) => Promise<Result>, onEnd: () => void) {
    this.#onEnd = onEnd;
    start(this.#controller.signal).then(
      (response) => this.#settle((one) => one.resolve(response)),
      (error: unknown) => this.#settle((one) => one.reject(error)),
    );
  }

  /** Waits for its end. Rejects with the signal's reason once that has aborted. */
  join(signal: AbortSignal): Promise<Result> {
    return new Promise((resolve, reject) => {
      const one: Waiting<Result> = { signal, resolve, reject, abandon: () => this.#abandon(one) };
      this.#waiting.add(one);
      signal.addEventListener('abort', one.abandon);
    });
  }

  #settle(tell: (one: Waiting<Result>) => void): void {
    this.#onEnd();
    for (const one of this.#waiting) {
      one.signal.removeEventListener('abort', one.abandon);
      tell(one);
    }
    this.#waiting.clear();
  }

  #abandon(one: Waiting<Result>): void {
    const { reason } = one.signal;
    one.signal.removeEventListener('abort', one.abandon);
    one.reject(reason);
    this.#waiting.delete(one);
    if (this.#waiting.size === 0) {
      // The next caller must not join a call that is being stopped.
      this.#onEnd();
      this.#controller.abort(reason);
    }
  }
}

interface Waiting<Result> {
  readonly signal: AbortSignal;
  readonly resolve: (response: Result) => void;
  readonly reject: (reason: unknown) => void;
  readonly abandon: () => void;
}
