import type { Logger } from '@meridian/telemetry';

import type { CircuitMetrics } from '../../telemetry/circuit-metrics.ts';
import type { OpenCircuit } from '../connect-subgraphs.ts';
import { breakCircuit } from './break-circuit.ts';
import { Circuit } from './circuit.ts';

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
