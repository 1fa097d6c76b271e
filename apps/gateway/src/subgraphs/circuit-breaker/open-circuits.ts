import type { Logger } from '@meridian/telemetry';
import type { SubgraphInterceptor } from '@meridian/executor';
import { SubgraphFailure } from '@meridian/executor';
import { DeadlineExceeded } from '@meridian/http';

import type { CircuitMetrics } from '../../telemetry/circuit-metrics.ts';
import type { OpenCircuit } from '../connect-subgraphs.ts';
import { Circuit } from './circuit.ts';
import type { CallOutcome } from './circuit.ts';

/** Makes the circuits of the subgraphs of one supergraph, closed at first, and logs each change of one. */
export function openCircuits(
  metrics: Pick<CircuitMetrics, 'watchCircuit' | 'countRejection'>,
  logger: Logger,
): OpenCircuit {
  return (subgraph, { circuit: rules, timeoutMs }) => {
    if (rules === undefined) {
      return undefined;
    }
    const circuit = new Circuit(rules, (state) => {
      const line = { subgraph, state, openMs: state === 'open' ? rules.open_duration : undefined };
      logger[state === 'open' ? 'warn' : 'info'](line, 'the circuit of a subgraph has changed');
    });
    metrics.watchCircuit(subgraph, circuit);
    return breakCircuit(circuit, timeoutMs, () => metrics.countRejection(subgraph));
  };
}

/**
 * Sends requests while the circuit of their subgraph lets them through; others fail at once with
 * REQUEST_CIRCUIT_BREAKER_OPEN.
 *
 * @param timeoutMs for a request to the subgraph
 * @param onRejected called for each request that is not sent
 */
function breakCircuit<Run>(
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
    const { parts } = request;
    let startMs = performance.now();
    let sent = request;
    if (parts !== undefined) {
      // Until its client has sent them all, the time is the client's.
      startMs = Infinity;
      sent = { ...request, parts: withEnd(parts, () => (startMs = performance.now())) };
    }
    const response = next(sent);
    response.then(
      () => permit.end('success'),
      (error: unknown) => permit.end(outcomeOf(error, performance.now() - startMs, timeoutMs)),
    );
    return response;
  };
}

async function* withEnd(
  parts: AsyncIterable<Uint8Array>,
  onEnd: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield* parts;
  onEnd();
}

/**
 * A status below 500, but for 429, is about the request, and so is a body that is too large. A request that the deadline
 * of its client has stopped says something about the subgraph only if it had some time; so does a timeout, which may
 * have gone by while a client sent files.
 */
function outcomeOf(error: unknown, durationMs: number, timeoutMs: number): CallOutcome {
  const isTimeout = error instanceof SubgraphFailure && error.code === 'GATEWAY_TIMEOUT';
  if (error instanceof SubgraphFailure && !isTimeout) {
    const { code, status } = error;
    const isFailure = status === undefined ? code !== 'SUBREQUEST_MALFORMED_RESPONSE' : isBad(status);
    return isFailure ? 'failure' : 'success';
  }
  return (isTimeout || error instanceof DeadlineExceeded) && durationMs >= timeoutMs / 2
    ? 'failure'
    : 'unknown';
}

function isBad(status: number): boolean {
  return status >= 500 || status === 429;
}
