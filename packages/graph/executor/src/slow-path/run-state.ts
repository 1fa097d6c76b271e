import type { ClientPath } from '../selections/client-path.ts';
import type { DataObject } from './data.ts';
import type { RunErrors } from './run-errors.ts';
import type { TargetPaths } from './target-paths.ts';

/** The data of one run so far, as objects. */
export interface RunState {
  readonly data: DataObject;
  readonly errors: RunErrors;
  readonly targetPaths: TargetPaths;
  /** The objects that a subgraph reported as missing. */
  readonly missing: Set<DataObject>;
  readonly clientPath: ClientPath;
}
