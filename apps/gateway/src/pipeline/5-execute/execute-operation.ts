import type {
  Executor,
  Handler,
  OperationPlan,
  PreparedOperation,
  SubscriptionStream,
} from '@meridian/executor';
import { composeInterceptors } from '@meridian/executor';
import type { DocumentNode } from 'graphql';

import type { AnyRunInterceptor, Run, RunInterceptor, RunResult } from '../../operation/run.ts';
import type { AdmittedOperation } from '../../operation/admitted-operation.ts';

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
  // By document: an operation that runs whole in a dry run has the plan that all others have.
  const known = new WeakMap<DocumentNode, PreparedOperation<Run, OperationPlan | undefined>>();
  const prepare = (operation: AdmittedOperation): PreparedOperation<Run, OperationPlan | undefined> => {
    let prepared = known.get(operation.document);
    if (prepared === undefined) {
      prepared = executor.prepare(operation);
      known.set(operation.document, prepared);
    }
    return prepared;
  };
  return {
    execute: composeInterceptors([...interceptors, addHeaders], (run: Run): Promise<RunResult> =>
      prepare(run.operation).run(run),
    ),
    subscribe: composeInterceptors<Run, Promise<SubscriptionStream>>(
      [addHeaders],
      (run: Run): Promise<SubscriptionStream> => prepare(run.operation).subscribe(run),
    ),
    planAhead: async (operation, { variables, overrideLabels }) =>
      await prepare(operation).plan(variables, overrideLabels),
  };
}
