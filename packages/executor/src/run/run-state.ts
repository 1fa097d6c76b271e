import type { ClientPath } from '../compile/client-path.ts';
import type { DataObject } from '../data.ts';
import type { Run } from './run.ts';
import type { ExecutionError } from '../result.ts';
import type { SendFetch } from './send-fetch.ts';

/** What one run has brought so far. */
export interface RunState {
  readonly run: Run;
  readonly data: DataObject;
  readonly errors: ExecutionError[];
  readonly cacheControl: string[];
  /** The objects of which a subgraph said that they are not there. */
  readonly missing: Set<DataObject>;
  readonly send: SendFetch;
  readonly clientPath: ClientPath;
}
