import { Supergraph as FederatedSupergraph, operationFromDocument } from '@apollo/federation-internals';
import type { QueryPlan } from '@apollo/query-planner';
import { QueryPlanner } from '@apollo/query-planner';
import type { DocumentNode } from 'graphql';
import { GraphQLError, parse } from 'graphql';

import { supportedFeatures } from '../supergraph/supported-supergraphs.ts';
import { misplannedFields } from './misplanned-fields.ts';
import type { PlanningResult } from './planner.ts';
import { hasDefer, withoutDefer } from './without-defer.ts';
import { createAddRequired, withoutRequires } from './without-requires.ts';

/** Plans an operation, in this thread and for as long as it takes. */
export type BuildPlan = (operation: string, labels?: readonly string[]) => PlanningResult;

/** Follows a planner that loads the supergraph again, for an operation that it fails on. */
export interface LoadWatch {
  onLoading(): void;
  onLoaded(): void;
}

/** Creates Apollo's planner for a supergraph, as `loadSupergraph` prepares it. */
export function createBuildPlan(plannerSchema: DocumentNode, watch?: LoadWatch): BuildPlan {
  const supergraph = readSupergraph(plannerSchema);
  const build = createBuild(supergraph);
  // Made for the first operation that needs it: few do.
  let buildDeferring: Build | undefined;
  let buildWithoutRequires: BuildWithoutRequires | undefined;
  const misplanned = misplannedFields(plannerSchema);

  const loadDeferring = (): Build => {
    watch?.onLoading();
    const loaded = createBuild(supergraph, true);
    watch?.onLoaded();
    return loaded;
  };
  return (text, labels = []) => {
    let document = parse(text, { noLocation: true });
    const planWithoutRequires = (concerned?: ReadonlySet<string>): QueryPlan['node'] => {
      buildWithoutRequires ??= createBuildWithoutRequires(plannerSchema, watch);
      return buildWithoutRequires(withoutDefer(document), labels, concerned);
    };
    if (misplanned.size > 0) {
      try {
        return { node: planWithoutRequires(misplanned) };
      } catch {
        // It has none of these fields, or no such plan.
      }
    }
    if (hasDefer(document)) {
      // A planner of its own: one that defers makes other plans of operations without `@defer`.
      buildDeferring ??= loadDeferring();
      try {
        return { node: buildDeferring(document, labels) };
      } catch {
        // Nothing is fetched later; the fragments still come later.
        document = withoutDefer(document);
      }
    }
    try {
      return { node: build(document, labels) };
    } catch (error) {
      if (!isTooLarge(error)) {
        try {
          return { node: planWithoutRequires() };
        } catch {
          // The first error is the one that says why.
        }
      }
      // A GraphQLError is about the operation; anything else is an assertion of the planner's own that fails.
      return { rejection: error instanceof GraphQLError ? error.message : 'The operation cannot be planned' };
    }
  };
}

/** @throws {Error} where the planner makes no plan */
type Build = (operation: DocumentNode, labels: readonly string[]) => QueryPlan['node'];

function readSupergraph(plannerSchema: DocumentNode): FederatedSupergraph {
  // Validated already, as it was written.
  return FederatedSupergraph.build(plannerSchema, { supportedFeatures, validateSupergraph: false });
}

function createBuild(supergraph: FederatedSupergraph, enableDefer = false): Build {
  const planner = new QueryPlanner(supergraph, {
    // Operations come without named fragments.
    reuseQueryFragments: false,
    incrementalDelivery: { enableDefer },
  });
  return (document, labels) => {
    const operation = operationFromDocument(supergraph.apiSchema(), document, { validate: false });
    const overrideConditions = new Map(labels.map((label) => [label, true]));
    return planner.buildQueryPlan(operation, { overrideConditions }).node;
  };
}

/** @throws {Error} where the planner makes no plan, or the operation has none of the concerned fields with `@requires` */
type BuildWithoutRequires = (
  operation: DocumentNode,
  labels: readonly string[],
  concerned?: ReadonlySet<string>,
) => QueryPlan['node'];

function createBuildWithoutRequires(
  plannerSchema: DocumentNode,
  watch: LoadWatch | undefined,
): BuildWithoutRequires {
  const addRequired = createAddRequired(plannerSchema);
  let build: Build | undefined;
  return (document, labels, concerned) => {
    const { operation, added } = addRequired(document);
    if (![...added].some((field) => concerned?.has(field) ?? true)) {
      throw new Error('The operation has no such @requires');
    }
    if (build === undefined) {
      watch?.onLoading();
      build = createBuild(readSupergraph(withoutRequires(plannerSchema)));
      watch?.onLoaded();
    }
    return build(operation, labels);
  };
}

/** The planner's own bound: another attempt would only take as long again. */
function isTooLarge(error: unknown): boolean {
  return error instanceof Error && error.message.includes('exceeds limit');
}
