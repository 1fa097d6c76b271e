import type { FetchStep, OperationPlan } from '@meridian/executor';
import { fetchesOf } from '@meridian/executor';
import type { GraphQLSchema } from 'graphql';
import { Kind } from 'graphql';

import type { SubgraphCostRules } from '../config/traffic-limits.ts';
import type { Variables } from '../operation/admitted-operation.ts';
import type { EstimateCost } from '../operation/compiled-operation.ts';
import { dependsOnVariables, prepareEstimate } from '../pipeline/3-compile/estimate-cost.ts';
import type { FieldCost, FieldCosts } from '../supergraph/field-costs.ts';

export interface SubgraphEstimateOptions {
  /** Of the supergraph. */
  readonly schema: GraphQLSchema;
  readonly costOf: FieldCosts;
  readonly listSizeOf: SubgraphCostRules['listSizeOf'];
}

/** The estimated cost of an operation with these variables in each of its subgraphs. The same object where none matters. */
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
  const fetches = fetchesOf(plan.root).map((fetch) => estimateOf(fetch, options));
  const varies = fetches.some((fetch) => fetch.varies);
  let constant: ReadonlyMap<string, number> | undefined;
  return (variables) => {
    if (constant !== undefined) {
      return constant;
    }
    const costs = new Map<string, number>();
    for (const { subgraph, estimate } of fetches) {
      costs.set(subgraph, (costs.get(subgraph) ?? 0) + estimate(variables));
    }
    constant = varies ? undefined : costs;
    return costs;
  };
}

interface FetchEstimate {
  readonly subgraph: string;
  readonly estimate: EstimateCost;
  /** True where it may depend on variables. */
  readonly varies: boolean;
}

function estimateOf(
  { subgraph, document, variables: sent }: FetchStep,
  { schema, costOf, listSizeOf }: SubgraphEstimateOptions,
): FetchEstimate {
  const definition = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (definition?.kind !== Kind.OPERATION_DEFINITION) {
    return { subgraph, varies: false, estimate: () => 0 };
  }
  const options = {
    schema,
    costOf: withEntities(costOf),
    assumedListSize: listSizeOf(subgraph),
    countsRequirements: false,
  };
  const estimate = prepareEstimate(document, definition, options);
  return {
    subgraph,
    varies: dependsOnVariables(document, definition, options),
    estimate: (variables) =>
      estimate(Object.fromEntries(sent.map(({ name, clientName }) => [name, variables[clientName]]))),
  };
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
export function withEntities(costOf: FieldCosts): FieldCosts {
  return (parentName, fieldName) => (fieldName === '_entities' ? entities : costOf(parentName, fieldName));
}
