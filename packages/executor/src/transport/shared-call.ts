/** A call that several callers wait for. It is stopped when the last one has left. */
export class SharedCall<Answer> {
  readonly #controller = new AbortController();
  readonly #waiting = new Set<Waiting<Answer>>();
  readonly #onLanded: () => void;

  /**
   * Starts it.
   *
   * @param onEnd called when it has ended, or when all have left: no caller may join it afterwards
   */
  constructor(start: (signal: AbortSignal) => Promise<Answer>, onEnd: () => void) {
    this.#onLanded = onEnd;
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
    this.#onLanded();
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
      this.#onLanded();
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
