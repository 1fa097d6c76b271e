import type { OperationDefinitionNode, ValueNode } from 'graphql';

import type { AdmittedOperation, Variables } from './admitted-operation.ts';
import type { Requirement } from './requirement.ts';
import type { OperationSource } from './operation-source.ts';

/** An operation as it is compiled once, for all requests. */
export interface CompiledOperation extends AdmittedOperation {
  /**
   * The operation for a caller who may see all of it. It refers to nothing of its graph: a stream keeps the run that has
   * opened it, for longer than that graph.
   */
  readonly whole: AdmittedOperation;
  readonly source: OperationSource;
  readonly definition: OperationDefinitionNode;
  readonly pageSizes: readonly PageSizeCheck[];
  readonly estimateCost: EstimateCost;
  readonly measureCost: MeasureCost;
  readonly requirements: readonly Requirement[];
  readonly cacheHint: CacheHint | undefined;
}

/** The estimated cost of an operation with these variables. */
export type EstimateCost = (variables: Variables) => number;

/** The cost of a response, computed as the estimate is, but with the list sizes that there are. */
export type MeasureCost = (data: unknown, variables: Variables) => number;

/** One paging argument of an operation. */
export interface PageSizeCheck {
  readonly argument: string;
  readonly value: ValueNode;
  /** The largest page. */
  readonly max: number;
}

/** The freshness of a value, and whether other callers may get it. */
export interface CacheHint {
  /** 0 for a value that may not be reused. */
  readonly maxAgeSeconds: number;
  readonly isPrivate: boolean;
}
