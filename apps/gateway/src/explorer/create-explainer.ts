import type { Executor, OperationPlan, Supergraph } from '@meridian/executor';
import { OperationError, createExecutor, explainPlan, listFetches } from '@meridian/executor';
import { queryHash } from '@meridian/manifest';
import type { Explanation } from '@meridian/pages/explorer/session';

import type { Graph } from '../graph/graph.ts';
import type { CostRules } from '../config/traffic-limits.ts';
import { checkCost } from '../pipeline/4-admit/check-cost.ts';
import { checkPageSizes } from '../pipeline/4-admit/check-page-sizes.ts';
import { readVariables } from '../pipeline/4-admit/read-variables.ts';
import { cacheControl } from '../pipeline/7-respond/cache-control.ts';
import { RequestError } from '../errors/request-error.ts';

export interface OperationToExplain {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface ExplainerOptions {
  readonly graph: () => Graph;
  readonly cost: CostRules;
}

/**
 * Creates a function that explains operations without running them: they pass the stages up to admission, and are
 * planned.
 */
export function createExplainer({
  graph,
  cost: rules,
}: ExplainerOptions): (operation: OperationToExplain) => Promise<Explanation> {
  const planOf = createPlanner();
  return async ({ query, operationName, variables }) => {
    try {
      const { compile, supergraph } = graph();
      // An operation that is being written is not in a manifest yet; that is not logged.
      const text = { text: query, key: queryHash(query), isFromManifest: true };
      const operation = compile(text, operationName);
      const values = readVariables(supergraph.apiSchema, operation, variables);
      checkPageSizes(operation.pageSizes, values);
      const estimated = operation.estimateCost(values);
      checkCost(estimated, rules, silent);
      const plan = await planOf(supergraph, operation, values);
      return {
        cost: { estimated, max: rules.demand?.max ?? rules.throttleCapacity },
        cacheControl: cacheControl({ hint: operation.cacheHint, ofSubgraphs: [], isForCaller: true }),
        plan: {
          ...explainPlan(plan),
          fetches: listFetches(plan),
          subgraphs: supergraph.subgraphs.map(({ name }) => name),
        },
      };
    } catch (error) {
      if (error instanceof RequestError) {
        return { requestError: { code: error.code, message: error.message } };
      }
      if (error instanceof OperationError) {
        return { requestError: { code: 'GRAPHQL_VALIDATION_FAILED', message: error.message } };
      }
      throw error;
    }
  };
}

const silent = { log: { warn: () => undefined } };

type PlanOf = (
  supergraph: Supergraph,
  operation: Parameters<Executor['prepare']>[0],
  variables: OperationToExplain['variables'],
) => Promise<OperationPlan>;

/** Plans with this repository's executor, whichever executor runs operations, and sends nothing. */
function createPlanner(): PlanOf {
  const executors = new WeakMap<Supergraph, Executor>();
  const transport = {
    send: () => Promise.reject(new Error('A plan that is explained is not run')),
  };
  return async (supergraph, { document, name }, variables) => {
    const isDeferring = supergraph.apiSchema.getDirective('defer') !== undefined;
    const executor = executors.get(supergraph) ?? createExecutor({ supergraph, transport, isDeferring });
    executors.set(supergraph, executor);
    return await executor.prepare({ document, name }).plan(variables);
  };
}
