import type { DocumentNode } from 'graphql';

import type { UnauthorizedFields } from './unauthorized-fields.ts';

export type OperationType = 'query' | 'mutation' | 'subscription';

/** Variables with their declared types, defaults put in. */
export type Variables = Readonly<Record<string, unknown>>;

/** True when an operation defers a fragment, with these variables. */
export type Defers = (variables: Variables) => boolean;

/** An operation that one caller may run, as the stages after admission and an executor get it: valid, within all limits. */
export interface AdmittedOperation {
  /** Identifies the operation in caches: equal operations have equal keys. */
  readonly key: string;
  /** Undefined for an anonymous operation. */
  readonly name: string | undefined;
  readonly type: OperationType;
  /** The one operation and the fragments that it spreads, without unauthorized fields. */
  readonly document: DocumentNode;
  /** Undefined for an operation that defers nothing, whatever its variables are. */
  readonly defers: Defers | undefined;
  /** Absent for a caller who may see every field. */
  readonly unauthorized?: UnauthorizedFields | undefined;
}
