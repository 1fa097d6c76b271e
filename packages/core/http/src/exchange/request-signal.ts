import { StopController } from '@meridian/cancellation';
import type { Deadline, DeadlineQueue } from '@meridian/cancellation';

import { DeadlineExceeded } from './early-end.ts';

/** The signal of a request: its server aborts it when the client hangs up, and it aborts by itself at its deadline. */
export class RequestSignal extends StopController {
  readonly #deadlines: DeadlineQueue;
  readonly #deadline: Deadline;

  /**
   * @param deadlines of `deadlineMs` each
   * @param startedMs by `performance.now`
   */
  constructor(deadlines: DeadlineQueue, deadlineMs: number, startedMs?: number) {
    super();
    this.#deadlines = deadlines;
    this.#deadline = deadlines.start(() => this.abort(new DeadlineExceeded(deadlineMs)), startedMs);
  }

  /** The request has no deadline from now on, as when the first part of its response is there. */
  endDeadline(): void {
    this.#deadlines.end(this.#deadline);
  }
}
