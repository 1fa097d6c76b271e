import type { ExecutableOperation, Run } from '../executor/executor.ts';

/** What a rule about header fields may look at. */
export interface HeaderSource {
  readonly operation: Pick<ExecutableOperation, 'name' | 'document'>;
  readonly run: Pick<Run, 'request' | 'caller'>;
}
