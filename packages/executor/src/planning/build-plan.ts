import { Supergraph as FederatedSupergraph, operationFromDocument } from '@apollo/federation-internals';
import { QueryPlanner } from '@apollo/query-planner';
import type { DocumentNode } from 'graphql';
import { GraphQLError, parse } from 'graphql';

import { supportedFeatures } from '../supergraph/supported-features.ts';
import type { PlanningResult } from './planner.ts';

/** Plans an operation, in this thread and for as long as it takes. */
export type BuildPlan = (operation: string, labels?: readonly string[]) => PlanningResult;

/** Creates Apollo's planner for a supergraph, as `loadSupergraph` prepares it. */
export function createBuildPlan(plannerSchema: DocumentNode): BuildPlan {
  // Validated already, as it was written.
  const supergraph = FederatedSupergraph.build(plannerSchema, {
    supportedFeatures,
    validateSupergraph: false,
  });
  // Operations come without named fragments.
  const planner = new QueryPlanner(supergraph, { reuseQueryFragments: false });
  return (text, labels = []) => {
    try {
      const document = parse(text, { noLocation: true });
      const operation = operationFromDocument(supergraph.apiSchema(), document, { validate: false });
      const overrideConditions = new Map(labels.map((label) => [label, true]));
      return { node: planner.buildQueryPlan(operation, { overrideConditions }).node };
    } catch (error) {
      // A GraphQLError is the planner's word for an operation that would make it work for too long; anything else is an
      // assertion of its own that fails, as some do where `@requires` go back and forth between the same subgraphs.
      return { refusal: error instanceof GraphQLError ? error.message : 'The operation cannot be planned' };
    }
  };
}
