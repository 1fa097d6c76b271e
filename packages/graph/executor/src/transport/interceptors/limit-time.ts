import { DeadlineQueue, StopController } from '@meridian/cancellation';

import { failureOfTime } from '../subgraph-failure.ts';
import type { SubgraphInterceptor } from '../subgraph-transport.ts';

/**
 * Ends a request with GATEWAY_TIMEOUT when its time is over. A request that waits keeps the process running.
 *
 * @param timeoutMs for all that `next` does
 */
export function limitTime<Run>(timeoutMs: number): SubgraphInterceptor<Run> {
  const deadlines = new DeadlineQueue(timeoutMs, { keepsProcess: true });
  return async (request, next) => {
    const { signal: parent } = request;
    parent.throwIfAborted();
    const signal = new StopController();
    const abort = (): void => signal.abort(parent.reason);
    const deadline = deadlines.start(() => signal.abort(failureOfTime(timeoutMs)));
    parent.addEventListener('abort', abort);
    try {
      const response = await next({ ...request, signal });
      signal.throwIfAborted();
      return response;
    } finally {
      deadlines.end(deadline);
      parent.removeEventListener('abort', abort);
    }
  };
}
