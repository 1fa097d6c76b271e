/** Work that several wait for. It is stopped once nobody does any more. */
export class Flight<Answer> {
  readonly #controller = new AbortController();
  readonly #waiting = new Set<Waiting<Answer>>();
  readonly #onLanded: () => void;

  /**
   * Starts it.
   *
   * @param onLanded is called once it has ended, or has been left by all: nobody may board it from then on
   */
  constructor(start: (signal: AbortSignal) => Promise<Answer>, onLanded: () => void) {
    this.#onLanded = onLanded;
    start(this.#controller.signal).then(
      (answer) => this.#land((one) => one.resolve(answer)),
      (error: unknown) => this.#land((one) => one.reject(error)),
    );
  }

  /** Waits for its end. Rejects with the signal's reason once that has aborted. */
  board(signal: AbortSignal): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const one: Waiting<Answer> = { signal, resolve, reject, leave: () => this.#leave(one) };
      this.#waiting.add(one);
      signal.addEventListener('abort', one.leave);
    });
  }

  #land(tell: (one: Waiting<Answer>) => void): void {
    this.#onLanded();
    for (const one of this.#waiting) {
      one.signal.removeEventListener('abort', one.leave);
      tell(one);
    }
    this.#waiting.clear();
  }

  #leave(one: Waiting<Answer>): void {
    const { reason } = one.signal;
    one.signal.removeEventListener('abort', one.leave);
    one.reject(reason);
    this.#waiting.delete(one);
    if (this.#waiting.size === 0) {
      // Whoever comes next must not board what is being stopped.
      this.#onLanded();
      this.#controller.abort(reason);
    }
  }
}

interface Waiting<Answer> {
  readonly signal: AbortSignal;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
  readonly leave: () => void;
}
