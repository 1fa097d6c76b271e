import type { Caller } from '@meridian/auth';
import type { StopSignal } from '@meridian/cancellation';
import type {
  ExecutionError as OwnExecutionError,
  Planner,
  ResponsePath,
  RunObserver,
  Supergraph,
} from '@meridian/executor';
import type { JsonBounds } from '@meridian/json';
import type { Logger } from '@meridian/telemetry';

import type { ExecutableOperation } from '../operation/executable-operation.ts';
import type { GraphqlRequest } from '../operation/graphql-request.ts';
import type { SubgraphConnections } from '../subgraphs/connect-subgraphs.ts';

/** Parameters that differ between runs of an operation. */
export interface Run {
  /** Of their declared types, defaults put in. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** The client's header fields. Header rules decide which of them a subgraph gets. */
  readonly request: GraphqlRequest;
  /** The caller; undefined for an anonymous one. */
  readonly caller: Caller | undefined;
  /** The header fields that the gateway adds for every subgraph; undefined for none. */
  readonly addedHeaders: Readonly<Record<string, string>> | undefined;
  /** Stops the run, which then rejects with the signal's reason. */
  readonly signal: StopSignal;
  readonly observer?: RunObserver | undefined;
}

/** The result of a run. */
export interface ExecutionResult {
  /** As JSON. */
  readonly data: string;
  readonly errors: readonly ExecutionError[];
  /** The `Cache-Control` fields that subgraphs sent. */
  readonly cacheControl: readonly string[];
}

/** An error before masking: it must not reach a client unchanged. */
export type ExecutionError =
  | OwnExecutionError
  | {
      readonly path?: ResponsePath;
      readonly kind: 'unauthorized';
      /** In words, such as `the scope stock:write`. */
      readonly requirement: string;
    };

/** An operation that was prepared. */
export interface PreparedOperation {
  run(run: Run): Promise<ExecutionResult>;
  /** Does in advance the work of the first run with such variables; rejects like it. */
  plan(variables: Run['variables']): Promise<void>;
}

/** Runs operations over the subgraphs. The pipeline knows execution only through this interface. */
export interface Executor {
  /** Does the work that does not depend on a run. */
  prepare(operation: ExecutableOperation): PreparedOperation;
  close(): Promise<void>;
}

/** The parts of an executor that its supergraph and the process supply. */
export interface ExecutorOptions {
  readonly supergraph: Supergraph;
  readonly connections: SubgraphConnections;
  /** Bounds on the JSON of a response that is parsed. */
  readonly responseBounds: JsonBounds;
  readonly logger: Logger;
  /** Wraps the planner with metrics. `apollo` has a planner of its own. */
  readonly measuredPlanner: (planner: Planner) => Planner;
  /** Adds the stores of plans to a planner. `apollo` has none. */
  readonly storedPlanner: (planner: Planner) => Planner;
  /**
   * True: the thread that plans starts when a plan is in no store. False: beside the start, so that no request
   * waits for it.
   */
  readonly isPlannerStartedLate: boolean;
  /** Called with the subgraph of a response that the fast path cannot read. */
  readonly onSlowPathResponse: (subgraph: string) => void;
}
