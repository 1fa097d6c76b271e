import type { ClientPath } from '../selections/client-path.ts';
import type { DataObject } from './data.ts';
import type { RunErrors } from './run-errors.ts';

/** The data of one run so far, as objects. */
export interface RunState {
  readonly data: DataObject;
  readonly errors: RunErrors;
  /** The objects of which a subgraph said that they are not there. */
  readonly missing: Set<DataObject>;
  readonly clientPath: ClientPath;
}
