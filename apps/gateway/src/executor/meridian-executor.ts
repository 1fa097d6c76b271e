import type { Planner, PlanningResult } from '@meridian/executor';
import { createExecutor, createPlannerThread, supergraphFault } from '@meridian/executor';

import type { Executor, ExecutorOptions } from './executor.ts';

export interface MeridianExecutorOptions extends Omit<ExecutorOptions, 'logger'> {
  /** `fast`: the fast path, as long as responses are as expected. `slow`: never. */
  readonly path: 'fast' | 'slow';
}

/**
 * Creates an executor of `@meridian/executor`. Operations are planned in a thread of its own.
 *
 * @throws {SupergraphError} when the planner cannot read the supergraph
 */
export async function createMeridianExecutor({
  supergraph,
  connections,
  responseBounds,
  path,
  measuredPlanner,
  storedPlanner,
  isPlannerStartedLate,
  onSlowPathResponse,
}: MeridianExecutorOptions): Promise<Executor> {
  const { transport, forwardHeaders } = connections;
  const planner = createPlannerThread(supergraph, { isStartedLate: isPlannerStartedLate });
  try {
    await startPlanning(storedPlanner(planner));
  } catch (error) {
    await planner.close();
    throw error;
  }
  const executor = createExecutor({
    supergraph,
    transport,
    planner: storedPlanner(measuredPlanner(planner)),
    path,
    responseBounds,
    watch: { onSlowPathResponse },
  });
  return {
    prepare(operation) {
      const { document, name } = operation;
      const prepared = executor.prepare({ document, name });
      return {
        run(run) {
          const { variables, addedHeaders, signal, observer } = run;
          const source = { operation, run };
          let latest: SubgraphFields | undefined;
          const headersFor = (subgraph: string): Fields => {
            if (latest?.subgraph !== subgraph) {
              const forwarded = forwardHeaders(subgraph, source);
              const fields = addedHeaders === undefined ? forwarded : { ...addedHeaders, ...forwarded };
              latest = { subgraph, fields };
            }
            return latest.fields;
          };
          return prepared.run({
            variables,
            headersFor,
            signal,
            observer,
            // Slow planning for one tenant must not hold up operations of other tenants.
            caller: run.caller?.tenantId ?? run.request.peer,
          });
        },
        async plan(variables) {
          await prepared.plan(variables);
        },
      };
    },
    close: () => planner.close(),
  };
}

/**
 * Lets the planner load the supergraph, so that no request waits for it. A plan in a store shows that it could before.
 *
 * @throws {SupergraphError} where it cannot
 */
async function startPlanning(planner: Planner): Promise<void> {
  let result: PlanningResult;
  try {
    result = await planner.plan('{ __typename }');
  } catch (error) {
    throw supergraphFault(error);
  }
  if ('refusal' in result) {
    throw supergraphFault(result.refusal);
  }
}

type Fields = Readonly<Record<string, string>>;

/** The header fields of a run's latest call: consecutive ones are often to the same subgraph. */
interface SubgraphFields {
  readonly subgraph: string;
  readonly fields: Fields;
}
