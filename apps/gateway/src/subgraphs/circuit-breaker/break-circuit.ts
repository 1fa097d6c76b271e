import type { SubgraphInterceptor } from '@meridian/executor';
import { SubgraphFailure } from '@meridian/executor';
import { DeadlineExceeded } from '@meridian/http';

import type { CallOutcome, Circuit } from './circuit.ts';

/**
 * Sends requests while the circuit of their subgraph lets them through; others fail at once with
 * REQUEST_CIRCUIT_BREAKER_OPEN.
 *
 * @param timeoutMs for a request to the subgraph
 * @param onRejected called for each request that is not sent
 */
export function breakCircuit<Run>(
  circuit: Circuit,
  timeoutMs: number,
  onRejected: () => void,
): SubgraphInterceptor<Run> {
  return (request, next) => {
    const permit = circuit.admit();
    if (!('end' in permit)) {
      onRejected();
      const message = 'the circuit of the subgraph is open';
      return Promise.reject(new SubgraphFailure('REQUEST_CIRCUIT_BREAKER_OPEN', message, permit));
    }
    const startMs = performance.now();
    const response = next(request);
    response.then(
      () => permit.end('success'),
      (error: unknown) => permit.end(outcomeOf(error, performance.now() - startMs, timeoutMs)),
    );
    return response;
  };
}

/**
 * A status below 500, but for 429, is about the request, and so is a body that is too large. A request that the deadline
 * of its client has stopped says something about the subgraph only if it had some time.
 */
function outcomeOf(error: unknown, durationMs: number, timeoutMs: number): CallOutcome {
  if (error instanceof SubgraphFailure) {
    const { code, status } = error;
    const isFailure = status === undefined ? code !== 'SUBREQUEST_MALFORMED_RESPONSE' : isBad(status);
    return isFailure ? 'failure' : 'success';
  }
  return error instanceof DeadlineExceeded && durationMs >= timeoutMs / 2 ? 'failure' : 'unknown';
}

function isBad(status: number): boolean {
  return status >= 500 || status === 429;
}
