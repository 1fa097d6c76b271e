import type { SubgraphTransport } from '../transport/subgraph-transport.ts';
import type { RunDataOptions } from './run-data.ts';
import type { RunParameters } from './run-parameters.ts';

/** The parts of a run that belong to its executor. */
export interface RunPlanOptions<Run extends RunParameters> extends RunDataOptions {
  readonly transport: SubgraphTransport<Run>;
}
