import type { ExecutableOperation } from './executable-operation.ts';
import type { UnauthorizedFields } from './unauthorized-fields.ts';

/** An operation that one caller may run, as the stages after admission see it. */
export interface AdmittedOperation {
  readonly executable: ExecutableOperation;
  /** Absent for a caller who may see every field. */
  readonly unauthorized?: UnauthorizedFields | undefined;
}
