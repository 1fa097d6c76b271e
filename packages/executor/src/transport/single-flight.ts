/** Work that is done once for all callers that need it at the same time. */
export interface SingleFlight<Asked, Answer> {
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
    start: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer>;
}

interface UnderWay<Asked, Answer> {
  readonly asked: Asked;
  readonly call: SharedCall<Answer>;
}

/** @param isSame whether two that have the same key are the same */
export function createSingleFlight<Asked, Answer>(
  isSame: (one: Asked, other: Asked) => boolean,
): SingleFlight<Asked, Answer> {
  const byKey = new Map<string, readonly UnderWay<Asked, Answer>[]>();

  const startCall = (
    key: string,
    asked: Asked,
    start: (signal: AbortSignal) => Promise<Answer>,
  ): SharedCall<Answer> => {
    const call = new SharedCall(start, () => remove(key, underWay));
    const underWay: UnderWay<Asked, Answer> = { asked, call };
    byKey.set(key, [...(byKey.get(key) ?? []), underWay]);
    return call;
  };
  const remove = (key: string, underWay: UnderWay<Asked, Answer>): void => {
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
class SharedCall<Answer> {
  readonly #controller = new AbortController();
  readonly #waiting = new Set<Waiting<Answer>>();
  readonly #onEnd: () => void;

  /**
   * Starts it.
   *
   * @param onEnd called when it has ended, or when all have left: no caller may join it afterwards
   */
  constructor(start: (signal: AbortSignal) => Promise<Answer>, onEnd: () => void) {
    this.#onEnd = onEnd;
    start(this.#controller.signal).then(
      (response) => this.#settle((one) => one.resolve(response)),
      (error: unknown) => this.#settle((one) => one.reject(error)),
    );
  }

  /** Waits for its end. Rejects with the signal's reason once that has aborted. */
  join(signal: AbortSignal): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const one: Waiting<Answer> = { signal, resolve, reject, abandon: () => this.#abandon(one) };
      this.#waiting.add(one);
      signal.addEventListener('abort', one.abandon);
    });
  }

  #settle(tell: (one: Waiting<Answer>) => void): void {
    this.#onEnd();
    for (const one of this.#waiting) {
      one.signal.removeEventListener('abort', one.abandon);
      tell(one);
    }
    this.#waiting.clear();
  }

  #abandon(one: Waiting<Answer>): void {
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

interface Waiting<Answer> {
  readonly signal: AbortSignal;
  readonly resolve: (response: Answer) => void;
  readonly reject: (reason: unknown) => void;
  readonly abandon: () => void;
}
