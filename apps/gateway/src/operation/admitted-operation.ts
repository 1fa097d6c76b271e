import type { ExecutableOperation } from '../executor/executor.ts';
import type { CacheHint } from '../supergraph/cache-hints.ts';
import type { UnauthorizedFields } from './unauthorized-fields.ts';

/** What one caller may run: all that the stages after admission know of an operation. */
export interface AdmittedOperation {
  readonly executable: ExecutableOperation;
  /** Absent for a caller who may see every field. */
  readonly unauthorized?: UnauthorizedFields | undefined;
  readonly cacheHint: CacheHint | undefined;
}
