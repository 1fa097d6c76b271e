import type { Supergraph } from '@meridian/executor';

import type { AdmitForCaller } from '../pipeline/4-admit/admit-for-caller.ts';
import type { CompiledOperation } from '../operation/compiled-operation.ts';
import type { CompileOperation } from '../pipeline/3-compile/compile-operation.ts';
import type { Variables } from '../operation/admitted-operation.ts';
import type { Execution } from '../pipeline/5-execute/execute-operation.ts';
import type { OverrideLabels } from '../overrides/override-labels.ts';
import type { CachedSubgraphs } from '../response-cache/invalidate.ts';
import type { SubgraphServer } from '../subgraphs/connect-subgraphs.ts';

/** Everything derived from one supergraph. */
export interface Graph {
  readonly supergraph: Supergraph;
  /** Of the supergraph's text. */
  readonly hash: string;
  /** The server of each subgraph, by its name. */
  readonly servers: ReadonlyMap<string, SubgraphServer>;
  /** True when rules pass header fields of a subgraph on to clients. */
  readonly passesFieldsOn: boolean;
  readonly compile: CompileOperation;
  readonly admitForCaller: AdmitForCaller;
  readonly execute: Execution['execute'];
  readonly subscribe: Execution['subscribe'];
  /** Undefined where the supergraph has no labels of progressive overrides. */
  readonly labels: OverrideLabels | undefined;
  /** True when clients connect over TLS. */
  readonly isSecure: boolean;
  /** Plans a compiled operation before anyone runs it; rejects where it cannot be planned, or a limit rejects its plan. */
  readonly planAhead: (operation: CompiledOperation, variables: Variables) => Promise<void>;
  /** The compiled operations in the cache, most recently used first. */
  readonly recentlyUsed: () => readonly CompiledOperation[];
  /** Begins a use of the graph. The returned function ends it. */
  readonly acquire: () => () => void;
  /** Those whose responses are kept; undefined where none are. */
  readonly cachedSubgraphs: CachedSubgraphs | undefined;
  /** Closes it when no request uses it any more. */
  readonly close: () => Promise<void>;
}
