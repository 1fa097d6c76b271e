import type { ExecutableOperation, Run } from '../executor/executor.ts';

/** The values that rules for header fields may read. */
export interface HeaderSource {
  readonly operation: Pick<ExecutableOperation, 'name' | 'document'>;
  readonly run: Pick<Run, 'request' | 'caller'>;
}
