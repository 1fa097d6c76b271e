import { OperationError } from '../operation/operation.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import { fetchesTooEarly } from './context-inputs.ts';
import { fetchesOf } from './fetches-of.ts';
import { inputFaults } from './input-faults.ts';
import type { OperationKind, PlanStep } from './plan.ts';

/**
 * Checks that each field of an entity is fetched from a subgraph that resolves it, with its required fields and the
 * values of its contexts.
 *
 * @throws {OperationError} when one is not
 */
export function checkInputs(root: PlanStep | undefined, kind: OperationKind, supergraph: Supergraph): void {
  for (const fetch of fetchesOf(root)) {
    for (const { name } of inputFaults(fetch, supergraph).keys()) {
      throw new OperationError(`The inputs of "${name}" cannot be planned`);
    }
  }
  if (root !== undefined && fetchesTooEarly(root, kind, supergraph).size > 0) {
    throw new OperationError('An argument from a context cannot be planned');
  }
}
