import { OperationError } from '../operation/operation.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import { isUntyped } from '../supergraph/possible-types.ts';
import { entityFields } from './entity-document.ts';
import { fetchesBeforeInputs, fetchesTooEarly } from './unready-fetches.ts';
import { fetchesOf } from './plan-steps.ts';
import { inputFaults } from './input-faults.ts';
import { liftNested } from './lift-nested.ts';
import type { FetchStep, OperationKind, PlanStep } from './plan.ts';

/**
 * Checks that each field of an entity is fetched from a subgraph that resolves it, with its required fields and the
 * values of its contexts.
 *
 * @throws {OperationError} when one is not
 */
export function checkInputs(root: PlanStep | undefined, kind: OperationKind, supergraph: Supergraph): void {
  if (root === undefined) {
    return;
  }
  for (const fetch of fetchesOf(root)) {
    checkTypes(fetch, supergraph);
    const nested = liftNested(fetch, supergraph).lifted.flatMap(({ document }) => entityFields(document));
    for (const { name } of [...inputFaults(fetch, supergraph).keys(), ...nested]) {
      throw new OperationError(`The inputs of "${name}" cannot be planned`);
    }
  }
  for (const { subgraph } of fetchesBeforeInputs(root, kind, supergraph)) {
    throw new OperationError(`The inputs of a fetch from "${subgraph}" cannot be planned`);
  }
  if (fetchesTooEarly(root, kind, supergraph).size > 0) {
    throw new OperationError('An argument from a context cannot be planned');
  }
}

/** Of an interface that no type implements yet, only the subgraphs of its interface objects have objects. */
function checkTypes(
  { document, subgraph, requires }: FetchStep,
  { schema, subgraphTypes }: Supergraph,
): void {
  const fields = requires === undefined ? [] : entityFields(document);
  for (const { typeName, name } of fields.filter((field) => field.name !== '__typename')) {
    if (isUntyped(schema, schema.getType(typeName)) && !subgraphTypes.isObject(subgraph, typeName)) {
      throw new OperationError(`The field "${name}" cannot be planned: no type implements "${typeName}" yet`);
    }
  }
}
