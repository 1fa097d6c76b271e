import type { Executor, OperationPlan, Planner, SubgraphTransport, Supergraph } from '@meridian/executor';
import type { JsonBounds } from '@meridian/json';
import type { Logger } from '@meridian/telemetry';

import type { Run } from '../operation/run.ts';

/** An executor of `meridian.executor`. Not every one shows its plans. */
export interface ClosableExecutor extends Executor<Run, OperationPlan | undefined> {
  close(): Promise<void>;
}

/** The parts of an executor that its supergraph and the process supply. */
export interface ExecutorParts {
  readonly supergraph: Supergraph;
  readonly transport: SubgraphTransport<Run>;
  /** Bounds on the JSON of a response that is parsed. */
  readonly responseBounds: JsonBounds;
  /** The subgraphs that get the entity fetches of a round as one request. */
  readonly isMerged: (subgraph: string) => boolean;
  /** True when fragments with `@defer` come later. `apollo` ignores the directive. */
  readonly isDeferring: boolean;
  /** Called with the plan of each run, which rejects with what it throws. `apollo` shows no plans. */
  readonly admitPlan?: ((plan: OperationPlan, run: Run) => void) | undefined;
  readonly logger: Logger;
  /** `apollo` has a planner of its own. */
  readonly createPlanner: () => Planner;
  /** Wraps the planner with metrics. */
  readonly measuredPlanner: (planner: Planner) => Planner;
  /** Adds the stores of plans to a planner. `apollo` has none. */
  readonly storedPlanner: (planner: Planner) => Planner;
  /** Called with the subgraph of a response that the fast path cannot read. */
  readonly onSlowPathResponse: (subgraph: string) => void;
}
