import { OperationError } from '../operation/operation.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import { fetchesOf } from './fetches-of.ts';
import { inputFaults } from './input-faults.ts';
import type { PlanStep } from './plan.ts';

/**
 * Checks that each field of an entity is asked of a subgraph that resolves it, and with what it requires.
 *
 * @throws {OperationError} where one is not
 */
export function checkInputs(root: PlanStep | undefined, supergraph: Supergraph): void {
  for (const fetch of fetchesOf(root)) {
    for (const { name } of inputFaults(fetch, supergraph).keys()) {
      throw new OperationError(`The inputs of "${name}" cannot be planned`);
    }
  }
}
