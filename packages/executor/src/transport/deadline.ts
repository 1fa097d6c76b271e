import type { Deadline, StopSignal } from '@meridian/cancellation';
import { DeadlineQueue, StopController } from '@meridian/cancellation';

import { SubgraphFailure } from './subgraph-failure.ts';

/** The deadlines of requests to subgraphs, by their length. A request that waits keeps the process running. */
export class RequestDeadlines {
  readonly #queues = new Map<number, DeadlineQueue>();

  /** The queue of deadlines of a length, in milliseconds. */
  of(timeoutMs: number): DeadlineQueue {
    let queue = this.#queues.get(timeoutMs);
    if (queue === undefined) {
      queue = new DeadlineQueue(timeoutMs, { keepsProcess: true });
      this.#queues.set(timeoutMs, queue);
    }
    return queue;
  }
}

/** The time of one request. */
export interface StartedDeadline {
  /** Aborts when the time is over, with a `SubgraphFailure`, and with the signal that it was started with. */
  readonly signal: StopSignal;
  end(): void;
}

export function startDeadline(queue: DeadlineQueue, timeoutMs: number, parent: StopSignal): StartedDeadline {
  const stop = new StopController();
  const abort = (): void => stop.abort(parent.reason);
  const deadline: Deadline = queue.start(() => stop.abort(timeIsOver(timeoutMs)));
  parent.addEventListener('abort', abort);
  if (parent.aborted) {
    abort();
  }
  return {
    signal: stop,
    end() {
      queue.end(deadline);
      parent.removeEventListener('abort', abort);
    },
  };
}

export function timeIsOver(timeoutMs: number): SubgraphFailure {
  return new SubgraphFailure('GATEWAY_TIMEOUT', `no response within ${timeoutMs} ms`);
}
