import type { Caller } from '@meridian/auth';
import type {
  CompletedFragment,
  DeferredBatch,
  DeferredFragment,
  ExecutionError,
  ExecutionResult,
  Interceptor,
  ResponsePath,
  RunParameters,
  SubgraphResponse,
} from '@meridian/executor';

import type { ReceivedResponses } from '../subgraphs/response-fields.ts';
import type { RequestStages } from '../stages/request-stages.ts';
import type { AdmittedOperation } from './admitted-operation.ts';
import type { Upload } from '../uploads/upload.ts';
import type { ObservedFacts } from '../selectors/request-facts.ts';
import type { GraphqlRequest } from './graphql-request.ts';

/** The run of an operation for one request. */
export interface Run extends RunParameters {
  readonly operation: AdmittedOperation;
  /** The client's request. Header rules decide which of its header fields a subgraph gets. */
  readonly request: GraphqlRequest;
  /** Undefined for an anonymous caller. */
  readonly identity: Caller | undefined;
  /** In whose turn the operation is planned: see `planningCaller`. */
  readonly caller: string | undefined;
  /** For the telemetry that the file names. */
  readonly facts?: ObservedFacts | undefined;
  /** For the code at the stages of its requests to subgraphs. */
  readonly stages?: RequestStages | undefined;
  /** The files of the client; undefined where there are none. */
  readonly upload?: Upload | undefined;
  /** The header fields that the gateway adds for every subgraph; undefined for none. */
  readonly addedHeaders: Readonly<Record<string, string>> | undefined;
  /** Gets the responses whose header fields rules pass on to the client; absent where there are none. */
  readonly received?: ReceivedResponses | undefined;
  /** Gets the responses of subgraphs whose cost is the run's; absent where the client's response is measured. */
  readonly fetches?: ReceivedFetch[];
}

/** A response of a subgraph, and the request that it answers, both as JSON. */
export interface ReceivedFetch {
  readonly request: string;
  readonly response: SubgraphResponse['text'];
}

/** Planning takes turns by tenant, else by the client's address: slow planning for one must not hold up others. */
export function planningCaller(identity: Caller | undefined, request: GraphqlRequest): string | undefined {
  return identity?.tenantId ?? request.peer;
}

/** The result of a run. */
export interface RunResult extends Omit<ExecutionResult, 'errors' | 'deferred'> {
  readonly errors: readonly RunError[];
  /** The parts that follow. Absent: the data is the whole result. */
  readonly deferred?: RunParts | undefined;
  /** The cost of all fetches that have ended. Absent where the client's response is measured. */
  readonly measureFetches?: () => number;
}

/** The rest of the result of a run that defers fragments: see `DeferredParts`. */
export interface RunParts {
  readonly pending: readonly DeferredFragment[];
  readonly batches: AsyncIterable<RunBatch>;
}

/** Fragments that completed together, with errors before masking or as the client gets them. */
export interface RunBatch<Problem = RunError> extends Omit<DeferredBatch, 'completed'> {
  readonly completed: readonly RunFragment<Problem>[];
}

export interface RunFragment<Problem = RunError> extends Omit<CompletedFragment, 'errors'> {
  readonly errors: readonly Problem[];
}

/** An error before masking: it must not reach a client unchanged. */
export type RunError =
  | ExecutionError
  | {
      readonly path?: ResponsePath;
      readonly kind: 'unauthorized';
      /** In words, such as `the scope stock:write`. */
      readonly requirement: string;
    };

/** Code around the run of an operation, or around the opening of its stream. */
export type AnyRunInterceptor = <Result>(run: Run, next: (run: Run) => Result) => Result;

/** Code around the run of an operation. */
export type RunInterceptor = Interceptor<Run, Promise<RunResult>>;
