import type {
  Executor,
  Handler,
  OperationPlan,
  PreparedOperation,
  SubscriptionStream,
} from '@meridian/executor';
import { composeInterceptors } from '@meridian/executor';

import type { AnyRunInterceptor, Run, RunInterceptor, RunResult } from '../../operation/run.ts';
import type { AdmittedOperation } from '../../operation/admitted-operation.ts';
import type { ExecutableOperation } from '../../operation/executable-operation.ts';

export interface Execution {
  readonly execute: Handler<Run, Promise<RunResult>>;
  readonly subscribe: Handler<Run, Promise<SubscriptionStream>>;
  /** Plans an operation before anyone runs it; rejects where it cannot be planned. Undefined for an executor without plans. */
  readonly planAhead: (
    operation: AdmittedOperation,
    inputs: Pick<Run, 'variables' | 'overrideLabels'>,
  ) => Promise<OperationPlan | undefined>;
}

/**
 * Runs operations with an executor. Each is prepared once, for as long as the cache of compiled operations has it.
 *
 * @param addHeaders of a run; undefined for none
 */
export function createExecution(
  executor: Executor<Run, OperationPlan | undefined>,
  interceptors: readonly (RunInterceptor | undefined)[],
  addHeaders?: AnyRunInterceptor,
): Execution {
  const prepared = new WeakMap<ExecutableOperation, PreparedOperation<Run, OperationPlan | undefined>>();
  const prepare = (executable: ExecutableOperation): PreparedOperation<Run, OperationPlan | undefined> => {
    let operation = prepared.get(executable);
    if (operation === undefined) {
      operation = executor.prepare(executable);
      prepared.set(executable, operation);
    }
    return operation;
  };
  return {
    execute: composeInterceptors([...interceptors, addHeaders], (run: Run): Promise<RunResult> =>
      prepare(run.operation.executable).run(run),
    ),
    subscribe: composeInterceptors<Run, Promise<SubscriptionStream>>(
      [addHeaders],
      (run: Run): Promise<SubscriptionStream> => prepare(run.operation.executable).subscribe(run),
    ),
    planAhead: async ({ executable }, { variables, overrideLabels }) =>
      await prepare(executable).plan(variables, overrideLabels),
  };
}
