import type { DocumentNode, OperationDefinitionNode, ValueNode } from 'graphql';

import type { Requirement } from './requirement.ts';
import type { OperationSource } from './operation-source.ts';

export type OperationType = 'query' | 'mutation' | 'subscription';

/** An operation as it is compiled once, for all requests. */
export interface CompiledOperation {
  readonly source: OperationSource;
  readonly key: string;
  readonly name: string | undefined;
  readonly type: OperationType;
  /** The one operation and the fragments that it spreads. */
  readonly document: DocumentNode;
  readonly definition: OperationDefinitionNode;
  readonly pageSizes: readonly PageSizeCheck[];
  readonly estimateCost: EstimateCost;
  readonly measureCost: MeasureCost;
  readonly requirements: readonly Requirement[];
  readonly cacheHint: CacheHint | undefined;
  /** Undefined for an operation that defers nothing, whatever its variables are. */
  readonly defers: Defers | undefined;
}

/** The estimated cost of an operation with these variables. */
export type EstimateCost = (variables: Variables) => number;

/** True when an operation defers a fragment, with these variables. */
export type Defers = (variables: Variables) => boolean;

/** The cost of a response, computed as the estimate is, but with the list sizes that there are. */
export type MeasureCost = (data: unknown, variables: Variables) => number;

/** One paging argument of an operation. */
export interface PageSizeCheck {
  readonly argument: string;
  readonly value: ValueNode;
  /** The largest page. */
  readonly max: number;
}

/** Variables with their declared types, defaults put in. */
export type Variables = Readonly<Record<string, unknown>>;

/** The freshness of a value, and whether other callers may get it. */
export interface CacheHint {
  /** 0 for a value that may not be reused. */
  readonly maxAgeSeconds: number;
  readonly isPrivate: boolean;
}
