/** A deadline that was started. Its fields belong to its queue. */
export interface Deadline {
  /** By `performance.now`. */
  readonly untilMs: number;
  /** Undefined once it has passed or ended. */
  expire: (() => void) | undefined;
  previous: Deadline | undefined;
  next: Deadline | undefined;
}

/**
 * Deadlines of one length. They pass in the order in which they were started, so one timer is enough for all: to set and
 * to clear a timer for each would cost a small request a twentieth of its time.
 *
 * The deadlines are a linked list, whose members are unlinked when they end. A `Set` would do, but for V8: each time a
 * `Set` is rehashed, its old table points to the new one. A table that is in the old generation and dead would keep all
 * later ones, with every request in them, until the next collection of the whole heap.
 */
export class DeadlineQueue {
  readonly #lengthMs: number;
  #first: Deadline | undefined;
  #last: Deadline | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #keepsProcess: boolean;

  /**
   * @param lengthMs from the start of a deadline until it passes
   * @param keepsProcess true when the process goes on as long as a deadline is under way. Default: false
   */
  constructor(lengthMs: number, { keepsProcess = false }: { readonly keepsProcess?: boolean } = {}) {
    this.#lengthMs = lengthMs;
    this.#keepsProcess = keepsProcess;
  }

  /**
   * Starts a deadline. `expire` is called when it passes, unless it ends before.
   *
   * @param nowMs by `performance.now`, for callers that know it
   */
  start(expire: () => void, nowMs = performance.now()): Deadline {
    const last = this.#last;
    const deadline: Deadline = {
      untilMs: nowMs + this.#lengthMs,
      expire,
      previous: last,
      next: undefined,
    };
    if (last === undefined) {
      this.#first = deadline;
    } else {
      last.next = deadline;
    }
    this.#last = deadline;
    if (this.#timer === undefined) {
      this.#setTimer(this.#lengthMs);
    } else if (last === undefined && this.#keepsProcess) {
      this.#timer.ref();
    }
    return deadline;
  }

  /** Ends a deadline: it does not pass any more. One that has passed or ended is left as it is. */
  end(deadline: Deadline): void {
    if (deadline.expire === undefined) {
      return;
    }
    const { previous, next } = deadline;
    if (previous === undefined) {
      this.#first = next;
    } else {
      previous.next = next;
    }
    if (next === undefined) {
      this.#last = previous;
    } else {
      next.previous = previous;
    }
    deadline.expire = undefined;
    deadline.previous = undefined;
    deadline.next = undefined;
    if (this.#first === undefined && this.#keepsProcess) {
      this.#timer?.unref();
    }
  }

  #expireDue(): void {
    this.#timer = undefined;
    const nowMs = performance.now();
    for (let first = this.#first; first !== undefined; first = this.#first) {
      const leftMs = first.untilMs - nowMs;
      if (leftMs > 0) {
        this.#setTimer(Math.ceil(leftMs));
        return;
      }
      const { expire } = first;
      this.end(first);
      expire?.();
    }
  }

  /** The timer goes on when the last deadline has ended: the next one is mostly on its way. */
  #setTimer(ms: number): void {
    const timer = setTimeout(() => this.#expireDue(), ms);
    if (!this.#keepsProcess) {
      timer.unref();
    }
    this.#timer = timer;
  }
}
