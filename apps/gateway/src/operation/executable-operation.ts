import type { DocumentNode } from 'graphql';

/** An operation as an executor gets it: valid, within all limits, without unauthorized fields. */
export interface ExecutableOperation {
  /** Identifies the operation in caches: equal operations have equal keys. */
  readonly key: string;
  /** The one operation and the fragments that it spreads. */
  readonly document: DocumentNode;
  /** Undefined for an anonymous operation. */
  readonly name: string | undefined;
  /** True when its result may come in parts. Default: false. */
  readonly mayDefer?: boolean;
}
