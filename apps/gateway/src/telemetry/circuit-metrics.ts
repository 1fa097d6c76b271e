import type { Metrics } from '@meridian/telemetry';
import { Counter, Gauge } from 'prom-client';

import type { CircuitState } from '../subgraphs/circuit-breaker/circuit.ts';

const values: Readonly<Record<CircuitState, number>> = { closed: 0, half_open: 1, open: 2 };

/** Registers metrics of circuits, by subgraph: once for a process. They have no series before the first circuit. */
export function createCircuitMetrics({ registry }: Metrics) {
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
    /** Reports a circuit from now on, instead of an earlier one of its subgraph. */
    watchCircuit: (subgraph: string, circuit: { readonly state: CircuitState }): void => {
      circuits.set(subgraph, circuit);
      rejections.inc({ subgraph_name: subgraph }, 0);
    },
    countRejection: (subgraph: string): void => rejections.inc({ subgraph_name: subgraph }),
    /** The subgraphs whose circuits are not closed. */
    openCircuits: (): Readonly<Record<string, CircuitState>> =>
      Object.fromEntries(
        Array.from(circuits, ([subgraph, { state }]) => [subgraph, state] as const).filter(
          ([, state]) => state !== 'closed',
        ),
      ),
  };
}

export type CircuitMetrics = ReturnType<typeof createCircuitMetrics>;
