import { SubgraphFailure } from './subgraph-failure.ts';

/** The time of one request. */
export interface Deadline {
  /** Aborts when the time is over, with a `SubgraphFailure`, and with the signal that it was started with. */
  readonly signal: AbortSignal;
  end(): void;
}

export function startDeadline(timeoutMs: number, parent: AbortSignal): Deadline {
  const controller = new AbortController();
  const abort = (): void => controller.abort(parent.reason);
  const timer = setTimeout(() => controller.abort(timeIsOver(timeoutMs)), timeoutMs);
  parent.addEventListener('abort', abort);
  if (parent.aborted) {
    abort();
  }
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      parent.removeEventListener('abort', abort);
    },
  };
}

export function timeIsOver(timeoutMs: number): SubgraphFailure {
  return new SubgraphFailure('GATEWAY_TIMEOUT', `no response within ${timeoutMs} ms`);
}
