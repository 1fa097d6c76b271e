import type { IncomingHttpHeaders } from 'node:http';

import type { DocumentNode } from 'graphql';

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
  /** The client's header fields, of which the subgraphs get those that they are meant to. */
  readonly headers: IncomingHttpHeaders;
  /** The header fields of the gateway's own that every subgraph gets. */
  readonly ownHeaders: Readonly<Record<string, string>>;
  /** Stops the run, which then rejects with the signal's reason. */
  readonly signal: AbortSignal;
}

/** What came of a run. */
export interface ExecutionResult {
  readonly data: ResponseData | null;
  readonly errors: readonly ExecutionError[];
  /** The `Cache-Control` fields that subgraphs sent. */
  readonly cacheControl: readonly string[];
}

/** The fields of an object by response name. */
export type ResponseData = { readonly [responseName: string]: unknown };

export type ResponsePath = readonly (string | number)[];

/** What went wrong, unmasked: none of it may reach a client as it is. */
export type ExecutionError = { readonly path?: ResponsePath } & (
  | SubrequestError
  | ReportedError
  | { readonly kind: 'unauthorized' }
  | { readonly kind: 'internal'; readonly cause: unknown }
);

/** A request to a subgraph that brought nothing to use. */
export interface SubrequestError {
  readonly kind: 'subrequest';
  readonly code: SubrequestCode;
  /** Absent where the answers of several make up what is wrong. */
  readonly subgraph?: string;
  /** What happened, for the log. */
  readonly cause: unknown;
}

/**
 * `GATEWAY_TIMEOUT`: it took too long. `SUBREQUEST_HTTP_ERROR`: the subgraph could not be reached, or answered with
 * another status than 2xx. `SUBREQUEST_MALFORMED_RESPONSE`: it answered something else than the result that it was asked for.
 */
export type SubrequestCode = 'GATEWAY_TIMEOUT' | 'SUBREQUEST_HTTP_ERROR' | 'SUBREQUEST_MALFORMED_RESPONSE';

/** An error that a subgraph reported in its answer. */
export interface ReportedError {
  readonly kind: 'reported';
  readonly subgraph: string;
  readonly message: string;
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** Runs an operation that was prepared. */
export type PreparedOperation = (run: Run) => Promise<ExecutionResult>;

/** Who runs operations over the subgraphs. All that the pipeline knows of that stands here. */
export interface Executor {
  /** Does once what does not depend on the run. */
  prepare(operation: ExecutableOperation): PreparedOperation;
  close(): Promise<void>;
}
