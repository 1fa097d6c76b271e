import type { AdmittedOperation } from '../../admitted-operation.ts';
import type {
  ExecutableOperation,
  ExecutionResult,
  Executor,
  PreparedOperation,
  Run,
} from '../../executor/executor.ts';
import { nullWithheldFields } from './null-withheld-fields.ts';

/** Runs an operation and puts null where fields were withheld. */
export type ExecuteOperation = (operation: AdmittedOperation, run: Run) => Promise<ExecutionResult>;

/** Creates what runs operations with an executor. Each is prepared once, for as long as it is kept compiled. */
export function createExecution(executor: Executor): ExecuteOperation {
  const prepared = new WeakMap<ExecutableOperation, PreparedOperation>();
  return async ({ executable, withheld }, run) => {
    const execute = prepared.get(executable) ?? executor.prepare(executable);
    prepared.set(executable, execute);
    const result = await execute(run);
    return withheld === undefined ? result : nullWithheldFields(result, withheld);
  };
}
