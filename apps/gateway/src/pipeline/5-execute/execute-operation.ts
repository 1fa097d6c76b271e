import type { AdmittedOperation } from '../../operation/admitted-operation.ts';
import type { ExecutionResult, Executor, PreparedOperation, Run } from '../../executor/executor.ts';
import type { ExecutableOperation } from '../../operation/executable-operation.ts';
import { nullUnauthorizedFields } from './null-unauthorized-fields.ts';

/** Runs an operation, and puts null in the places of unauthorized fields. */
export type ExecuteOperation = (operation: AdmittedOperation, run: Run) => Promise<ExecutionResult>;

export interface Execution {
  readonly execute: ExecuteOperation;
  /** Plans an operation before anyone runs it; rejects where it cannot be planned. */
  readonly planAhead: (operation: AdmittedOperation, variables: Run['variables']) => Promise<void>;
}

/** Runs operations with an executor. Each is prepared once, for as long as it is cached. */
export function createExecution(executor: Executor): Execution {
  const prepared = new WeakMap<ExecutableOperation, PreparedOperation>();
  const preparedOf = (executable: ExecutableOperation): PreparedOperation => {
    let operation = prepared.get(executable);
    if (operation === undefined) {
      operation = executor.prepare(executable);
      prepared.set(executable, operation);
    }
    return operation;
  };
  return {
    execute({ executable, unauthorized }, run) {
      const result = preparedOf(executable).run(run);
      return unauthorized === undefined
        ? result
        : result.then((whole) => nullUnauthorizedFields(whole, unauthorized));
    },
    planAhead: async ({ executable }, variables) => await preparedOf(executable).plan(variables),
  };
}
