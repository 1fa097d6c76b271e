import type { DocumentNode } from 'graphql';
import { BREAK, visit } from 'graphql';

import type { OperationRules } from '../../config/operations-config.ts';
import { requestError } from '../../errors/request-error.ts';

/**
 * Rejects an operation that selects the schema. `__typename` is allowed.
 *
 * Spec: Graph endpoint, "Introspection".
 *
 * @throws {RequestError} INTROSPECTION_DISABLED
 */
export function checkIntrospection(
  document: DocumentNode,
  { isIntrospectionAllowed }: Pick<OperationRules, 'isIntrospectionAllowed'>,
): void {
  if (!isIntrospectionAllowed && asksForSchema(document)) {
    throw requestError('INTROSPECTION_DISABLED', 'Introspection is off');
  }
}

function asksForSchema(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    Field({ name }) {
      if (name.value === '__schema' || name.value === '__type') {
        found = true;
        return BREAK;
      }
      return undefined;
    },
  });
  return found;
}
