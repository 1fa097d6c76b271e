import type { OperationPlan, Supergraph } from '@meridian/executor';
import { OperationError, createExecutor } from '@meridian/executor';
import type { ReadOperation } from '@meridian/schema-changes';
import type { DocumentNode } from 'graphql';
import { Kind, visit } from 'graphql';

/** Plans an operation; undefined for one that cannot be planned. */
export type PlanOperation = (operation: ReadOperation) => Promise<OperationPlan | undefined>;

/** The draw for each percentage of a progressive override: it sets `percent(100)` only. */
const largestDraw = (): number => 1 - Number.EPSILON;

export function createPlanner(supergraph: Supergraph): PlanOperation {
  const transport = { send: () => Promise.reject(new Error('A plan is not run')) };
  const executor = createExecutor({ supergraph, transport, random: largestDraw });
  return async ({ document }) => {
    if (document === undefined) {
      return undefined;
    }
    try {
      return await executor.prepare({ document, name: undefined }).plan(inclusiveVariables(document));
    } catch (error) {
      if (error instanceof OperationError) {
        return undefined;
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
