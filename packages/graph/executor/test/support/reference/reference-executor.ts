import type { DocumentNode, FieldNode } from 'graphql';
import { Kind, execute } from 'graphql';

import type { Executor, ExecutorOptions } from '../../../src/executor.ts';
import { createExecutor } from '../../../src/executor.ts';
import type { Operation } from '../../../src/operation/operation.ts';
import type { SelectionSet } from '../../../src/operation/selection.ts';
import type { Supergraph } from '../../../src/supergraph/load-supergraph.ts';
import { runSteps } from './run-steps.ts';
import { shapeData } from './shape-data.ts';

/** Both executors, by their names in tests. */
export const executors = [
  ['the executor', createExecutor],
  ['the reference', createReferenceExecutor],
] as const;

/**
 * Creates an executor that runs the same plans as the compiled one and is as plain as can be: it interprets the plan at
 * each run, parses every answer with `JSON.parse` and shapes the data by the words of the GraphQL specification. What
 * the compiled executor does is right when this one does it too.
 */
export function createReferenceExecutor({ watch: _watch, ...options }: ExecutorOptions): Executor {
  const { supergraph, transport } = options;
  // Only for its plans, which both run.
  const planning = createExecutor(options);
  return {
    prepare(operation) {
      const plannerSchema = planning.prepare(operation);
      return {
        ...plannerSchema,
        async run(run) {
          run.signal.throwIfAborted();
          const plan = await plannerSchema.plan(run.variables, run.overrideLabels, run.caller);
          run.observer?.onPlan(plan);
          const fetched = await runSteps(plan, { supergraph, transport, run });
          run.signal.throwIfAborted();
          const introspection = await introspect(supergraph, operation, plan.selections, run.variables);
          const data = shapeData(supergraph, plan, {
            ...fetched,
            introspection,
          });
          return {
            data,
            errors: fetched.errors.all(),
            cacheControl: fetched.cacheControl,
          };
        },
      };
    },
  };
}

/** The values of `__schema` and `__type` at the root, by response name. */
async function introspect(
  { apiSchema }: Supergraph,
  { document, name }: Operation,
  selections: SelectionSet,
  variableValues: Readonly<Record<string, unknown>>,
): Promise<ReadonlyMap<string, unknown>> {
  const fields = introspectionFields(selections);
  if (fields.length === 0) {
    return new Map();
  }
  const result = await execute({
    schema: apiSchema,
    document: selectingOnly(document, fields),
    variableValues,
    operationName: name,
  });
  return new Map(Object.entries(result.data ?? {}));
}

function introspectionFields(selections: SelectionSet): readonly FieldNode[] {
  return selections.flatMap((selection) => {
    if (selection.kind === 'fragment') {
      return introspectionFields(selection.selections);
    }
    return selection.fieldName === '__schema' || selection.fieldName === '__type' ? [selection.node] : [];
  });
}

function selectingOnly(document: DocumentNode, selections: readonly FieldNode[]): DocumentNode {
  return {
    ...document,
    definitions: document.definitions.map((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION
        ? { ...definition, selectionSet: { kind: Kind.SELECTION_SET, selections } }
        : definition,
    ),
  };
}
