/** A place in a subgraph's schema; lines and columns count from 1. */
export interface SchemaLocation {
  readonly subgraph: string;
  readonly start: SchemaPoint;
  readonly end: SchemaPoint;
}

export interface SchemaPoint {
  readonly line: number;
  readonly column: number;
}

/** An issue of composition: an error or a hint. */
export interface CompositionIssue {
  /** Apollo's code, for example `INVALID_FIELD_SHARING`. */
  readonly code: string;
  readonly message: string;
  readonly locations: readonly SchemaLocation[];
}

/** The result of composing: a supergraph, or errors. */
export type Composition = ComposedSupergraph | FailedComposition;

export interface ComposedSupergraph {
  readonly supergraphSdl: string;
  readonly hints: readonly CompositionIssue[];
  readonly errors?: undefined;
}

export interface FailedComposition {
  readonly errors: readonly CompositionIssue[];
  readonly supergraphSdl?: undefined;
  readonly hints?: undefined;
}
