import type { Metrics } from '@meridian/telemetry';
import { Counter, Gauge } from 'prom-client';

import type { CircuitState } from '../subgraphs/circuit-breaker/circuit.ts';

/** Metrics of circuits, by subgraph. */
export interface CircuitMetrics {
  /** Reports a circuit from now on, instead of an earlier one of its subgraph. */
  readonly watchCircuit: (subgraph: string, circuit: { readonly state: CircuitState }) => void;
  readonly countRejection: (subgraph: string) => void;
  /** The subgraphs whose circuits are not closed. */
  readonly openCircuits: () => Readonly<Record<string, CircuitState>>;
}

const values: Readonly<Record<CircuitState, number>> = { closed: 0, half_open: 1, open: 2 };

/** Registers them: once for a process. They have no series before the first circuit. */
export function createCircuitMetrics({ registry }: Metrics): CircuitMetrics {
  const circuits = new Map<string, { readonly state: CircuitState }>();
  const states = new Gauge({
    name: 'meridian_circuit_breaker_state',
    help: 'The state of the circuit of a subgraph: 0 closed, 1 a trial is due or under way, 2 open.',
    labelNames: ['subgraph_name'],
    // Of several workers: each has circuits of its own.
    aggregator: 'max',
    registers: [registry],
    collect() {
      for (const [subgraph_name, { state }] of circuits) {
        states.set({ subgraph_name }, values[state]);
      }
    },
  });
  const rejections = new Counter({
    name: 'meridian_circuit_breaker_rejections_total',
    help: 'Requests to a subgraph that were not sent, because its circuit was open.',
    labelNames: ['subgraph_name'],
    registers: [registry],
  });
  return {
    watchCircuit(subgraph, circuit) {
      circuits.set(subgraph, circuit);
      rejections.inc({ subgraph_name: subgraph }, 0);
    },
    countRejection: (subgraph) => rejections.inc({ subgraph_name: subgraph }),
    openCircuits: () =>
      Object.fromEntries(
        Array.from(circuits, ([subgraph, { state }]) => [subgraph, state] as const).filter(
          ([, state]) => state !== 'closed',
        ),
      ),
  };
}
