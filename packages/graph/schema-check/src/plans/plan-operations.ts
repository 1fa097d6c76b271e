import type { OperationPlan, Supergraph } from '@meridian/executor';
import { OperationError, createExecutor } from '@meridian/executor';
import type { ReadOperation } from '../changes/impact/known-operation.ts';
import type { DocumentNode } from 'graphql';
import { Kind, visit } from 'graphql';

/**
 * Makes the plans of an operation: the one without the labels of progressive overrides first, and then the one with
 * them. Empty for an operation that cannot be planned.
 */
export type PlanOperation = (operation: ReadOperation) => Promise<readonly OperationPlan[]>;

/** The draw for each percentage of a progressive override: it sets `percent(100)` only. */
const maxDraw = (): number => 1 - Number.EPSILON;

export function createPlanner(supergraph: Supergraph): PlanOperation {
  const transport = { send: () => Promise.reject(new Error('A plan is not run')) };
  const { overrideLabels } = supergraph;
  const labelSets = overrideLabels.size === 0 ? [undefined] : [undefined, overrideLabels];
  const executor = createExecutor({ supergraph, transport, random: maxDraw });
  return async ({ document }) => {
    if (document === undefined) {
      return [];
    }
    const variables = inclusiveVariables(document);
    try {
      const prepared = executor.prepare({ document, name: undefined });
      const plans: OperationPlan[] = [];
      for (const labels of labelSets) {
        plans.push(await prepared.plan(variables, labels));
      }
      return plans;
    } catch (error) {
      if (error instanceof OperationError) {
        return [];
      }
      throw error;
    }
  };
}

/** Variables with which `@skip` and `@include` leave everything in. */
function inclusiveVariables(document: DocumentNode): Readonly<Record<string, boolean>> {
  const variables: Record<string, boolean> = {};
  visit(document, {
    Directive({ name, arguments: nodes = [] }) {
      for (const { value } of nodes) {
        if (value.kind === Kind.VARIABLE && (name.value === 'include' || name.value === 'skip')) {
          variables[value.name.value] = variables[value.name.value] === true || name.value === 'include';
        }
      }
    },
  });
  return variables;
}
