/** The part of an `AbortSignal` that work under way needs. An `AbortSignal` is one. */
export interface StopSignal {
  readonly aborted: boolean;
  /** Undefined until it has aborted. */
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * A stop signal and its controller in one object. A request has one, and mostly one listener at a time: an
 * `AbortController` with its `EventTarget` takes ten times as long.
 */
export class StopController implements StopSignal {
  #aborted = false;
  #reason: unknown = undefined;
  /** The first of `#listeners` while it is alone. */
  #listener: (() => void) | undefined = undefined;
  #listeners: (() => void)[] | undefined = undefined;

  get aborted(): boolean {
    return this.#aborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  /** Aborts it, once: a second reason is ignored. */
  abort(reason: unknown): void {
    if (this.#aborted) {
      return;
    }
    this.#aborted = true;
    this.#reason = reason;
    const listeners = this.#listeners ?? (this.#listener === undefined ? [] : [this.#listener]);
    this.#listener = undefined;
    this.#listeners = undefined;
    for (const listener of listeners) {
      listener();
    }
  }

  throwIfAborted(): void {
    if (this.#aborted) {
      throw this.#reason;
    }
  }

  /** Adds a listener, which is called once. One that is added after the end is never called, as with an `AbortSignal`. */
  addEventListener(_type: 'abort', listener: () => void): void {
    if (this.#aborted) {
      return;
    }
    if (this.#listeners !== undefined) {
      this.#listeners.push(listener);
    } else if (this.#listener === undefined) {
      this.#listener = listener;
    } else {
      this.#listeners = [this.#listener, listener];
      this.#listener = undefined;
    }
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    if (this.#listener === listener) {
      this.#listener = undefined;
    } else if (this.#listeners !== undefined) {
      const index = this.#listeners.indexOf(listener);
      if (index !== -1) {
        // Not the list that `abort` goes through: that one is no longer here.
        this.#listeners.splice(index, 1);
      }
    }
  }
}
