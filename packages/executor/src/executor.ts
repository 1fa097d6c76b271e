import type { DocumentNode, FragmentDefinitionNode, OperationDefinitionNode } from 'graphql';
import { Kind } from 'graphql';

import { createBoundedCache } from './bounded-cache.ts';
import type { CompiledPlan } from './compile/compile-plan.ts';
import { compilePlan } from './compile/compile-plan.ts';
import type { ConditionValues } from './operation/conditions.ts';
import { findConditions } from './operation/conditions.ts';
import type { Operation } from './operation/operation.ts';
import { OperationError } from './operation/operation.ts';
import { createPlanNames } from './operation/plan-names.ts';
import { readOperation } from './operation/read-operation.ts';
import type { OperationPlan } from './plan/plan.ts';
import { planOperation } from './plan/plan-operation.ts';
import type { ExecutionResult } from './result.ts';
import type { Run } from './run/run.ts';
import type { SplicingWatch } from './run/run-data.ts';
import { runPlan } from './run/run-plan.ts';
import type { Supergraph } from './supergraph/load-supergraph.ts';
import type { SubgraphTransport } from './transport/subgraph-transport.ts';

export interface ExecutorOptions {
  readonly supergraph: Supergraph;
  readonly transport: SubgraphTransport;
  /** For tests. */
  readonly watch?: SplicingWatch;
}

/** An operation with all that does not depend on the run done, or done at the first run that needs it. */
export interface PreparedOperation {
  /**
   * Runs the operation. What subgraphs do wrong is in the result.
   *
   * @throws {OperationError} where it cannot be planned
   */
  run(run: Run): Promise<ExecutionResult>;
  /**
   * The plan for the conditions that these variables make.
   *
   * @throws {OperationError} where it cannot be planned
   */
  plan(variables: Run['variables']): OperationPlan;
}

/** Runs operations over the subgraphs of one supergraph. */
export interface Executor {
  /** @throws {OperationError} where the document has no operation of that name */
  prepare(operation: Operation): PreparedOperation;
}

/** How many combinations of an operation's conditions are kept planned. */
const keptVariants = 64;

export function createExecutor({ supergraph, transport, watch }: ExecutorOptions): Executor {
  return {
    prepare({ document, name }) {
      const definition = findOperation(document, name);
      const conditions = findConditions(document, definition);
      const variants = createBoundedCache<CompiledPlan>(keptVariants);

      const variantFor = (variables: Run['variables']): CompiledPlan => {
        const values = conditions.valuesIn(variables);
        const key = [...values.values()].map(Number).join('');
        const known = variants.get(key);
        if (known !== undefined) {
          return known;
        }
        const compiled = compilePlan(supergraph, planFor(definition, values), { document, definition });
        variants.set(key, compiled);
        return compiled;
      };
      const planFor = (operation: OperationDefinitionNode, values: ConditionValues): OperationPlan =>
        planOperation(
          supergraph,
          operation,
          readOperation({
            definition: operation,
            fragments: fragmentsOf(document),
            conditions: values,
            names: createPlanNames(document, supergraph.knownNames),
          }),
        );

      return {
        plan: (variables) => variantFor(variables).plan,
        async run(run) {
          const compiled = variantFor(run.variables);
          run.observer?.onPlan(compiled.plan);
          return await runPlan(compiled, run, { transport, watch });
        },
      };
    },
  };
}

function findOperation({ definitions }: DocumentNode, name: string | undefined): OperationDefinitionNode {
  const operations = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const [found, another] =
    name === undefined ? operations : operations.filter((one) => one.name?.value === name);
  if (found === undefined) {
    throw new OperationError(
      name === undefined ? 'The document has no operation' : `The document has no operation "${name}"`,
    );
  }
  if (another !== undefined) {
    throw new OperationError('The document has several operations, and none was named');
  }
  return found;
}

function fragmentsOf({ definitions }: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  return new Map(
    definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );
}
