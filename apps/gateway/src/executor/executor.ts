import type { Caller } from '@meridian/auth';
import type { ExecutionError as OwnExecutionError, ResponsePath, RunObserver } from '@meridian/executor';
import type { DocumentNode } from 'graphql';

import type { GraphqlRequest } from '../operation/graphql-request.ts';

/** An operation as an executor gets it: valid, within all limits, without what its caller may not see. */
export interface ExecutableOperation {
  /** Stands for the operation wherever something is kept for it: equal operations have equal keys. */
  readonly key: string;
  /** The one operation and the fragments that it spreads. */
  readonly document: DocumentNode;
  /** Undefined for an anonymous operation. */
  readonly name: string | undefined;
}

/** What differs from one run of an operation to the next. */
export interface Run {
  /** Of their declared types, defaults put in. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** As the client sent it. Of its header fields, the subgraphs get those that they are meant to. */
  readonly request: GraphqlRequest;
  /** Who asks; undefined for an anonymous caller. */
  readonly caller: Caller | undefined;
  /** The header fields of the gateway's own that every subgraph gets. */
  readonly addedHeaders: Readonly<Record<string, string>>;
  /** Stops the run, which then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  readonly observer?: RunObserver | undefined;
}

/** What came of a run. */
export interface ExecutionResult {
  /** As JSON. */
  readonly data: string;
  readonly errors: readonly ExecutionError[];
  /** The `Cache-Control` fields that subgraphs sent. */
  readonly cacheControl: readonly string[];
}

/** What went wrong, unmasked: none of it may reach a client as it is. */
export type ExecutionError =
  | OwnExecutionError
  | { readonly path?: ResponsePath; readonly kind: 'unauthorized' };

/** An operation that was prepared. */
export interface PreparedOperation {
  run(run: Run): Promise<ExecutionResult>;
  /** Does ahead what the first run with such variables would have to do; rejects as that would. */
  plan(variables: Run['variables']): Promise<void>;
}

/** Who runs operations over the subgraphs. All that the pipeline knows of that stands here. */
export interface Executor {
  /** Does once what does not depend on the run. */
  prepare(operation: ExecutableOperation): PreparedOperation;
  close(): Promise<void>;
}
