import type { FetchStep, OperationPlan } from '@meridian/executor';
import { fetchesOf } from '@meridian/executor';
import type { GraphQLSchema } from 'graphql';
import { Kind } from 'graphql';

import type { SubgraphCostRules } from '../config/traffic-limits.ts';
import type { EstimateCost, Variables } from '../operation/compiled-operation.ts';
import { prepareEstimate } from '../pipeline/3-compile/estimate-cost.ts';
import type { FieldCost, FieldCosts } from '../supergraph/field-costs.ts';

export interface SubgraphEstimateOptions {
  /** Of the supergraph. */
  readonly schema: GraphQLSchema;
  readonly costOf: FieldCosts;
  readonly listSizeOf: SubgraphCostRules['listSizeOf'];
}

/** The estimated cost of an operation with these variables in each of its subgraphs. */
export type EstimateSubgraphs = (variables: Variables) => ReadonlyMap<string, number>;

/**
 * Prepares the estimate of an operation's cost by subgraph, as Apollo Router computes it: each fetch of the plan costs
 * what its own operation does, and a subgraph all of its fetches together. The objects of an entity fetch are a list
 * whose length no directive gives. Weights are the supergraph's.
 */
export function prepareSubgraphEstimates(
  plan: OperationPlan,
  options: SubgraphEstimateOptions,
): EstimateSubgraphs {
  const fetches = fetchesOf(plan.root).map((fetch) => ({
    subgraph: fetch.subgraph,
    estimate: estimateOf(fetch, options),
  }));
  return (variables) => {
    const costs = new Map<string, number>();
    for (const { subgraph, estimate } of fetches) {
      costs.set(subgraph, (costs.get(subgraph) ?? 0) + estimate(variables));
    }
    return costs;
  };
}

function estimateOf(
  { subgraph, document, variables: sent }: FetchStep,
  { schema, costOf, listSizeOf }: SubgraphEstimateOptions,
): EstimateCost {
  const definition = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (definition?.kind !== Kind.OPERATION_DEFINITION) {
    return () => 0;
  }
  const estimate = prepareEstimate(document, definition, {
    schema,
    costOf: withEntities(costOf),
    assumedListSize: listSizeOf(subgraph),
    countsRequirements: false,
  });
  return (variables) =>
    estimate(Object.fromEntries(sent.map(({ name, clientName }) => [name, variables[clientName]])));
}

const entities: FieldCost = {
  weight: 1,
  returns: '_Entity',
  isList: true,
  listSizes: [],
  requires: undefined,
  argumentWeight: () => ({ isFree: true, weight: 0, objectWeight: 0, fieldWeight: () => undefined }),
  argumentDefaults: {},
};

/** The costs of fields in a subgraph, which has `_entities`. */
function withEntities(costOf: FieldCosts): FieldCosts {
  return (parentName, fieldName) => (fieldName === '_entities' ? entities : costOf(parentName, fieldName));
}
