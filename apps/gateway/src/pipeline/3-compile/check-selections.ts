import type { DocumentNode, SelectionNode } from 'graphql';
import { Kind } from 'graphql';

import { requestError } from '../../errors/request-error.ts';
import { selectionSets } from '../../operation/selection-sets.ts';
import type { OperationRules } from './operation-rules.ts';

/**
 * Rejects a document with more selections in one set than people write.
 *
 * @throws {RequestError} GRAPHQL_VALIDATION_FAILED
 */
export function checkSelections(document: DocumentNode, maxSelections: number): void {
  if (selectionSets(document).some(({ selections }) => selections.length > maxSelections)) {
    throw requestError(
      'GRAPHQL_VALIDATION_FAILED',
      `The operation has more than ${maxSelections} selections in one selection set`,
    );
  }
}

/**
 * Rejects an operation that selects the schema. `__typename` is allowed.
 *
 * Spec: Graph endpoint, "Introspection".
 *
 * @throws {RequestError} INTROSPECTION_DISABLED
 */
export function checkIntrospection(
  document: DocumentNode,
  { supergraph }: Pick<OperationRules, 'supergraph'>,
): void {
  if (!supergraph.introspection && asksForSchema(document)) {
    throw requestError('INTROSPECTION_DISABLED', 'Introspection is off');
  }
}

function asksForSchema(document: DocumentNode): boolean {
  return selectionSets(document).some(({ selections }) => selections.some(isOfSchema));
}

function isOfSchema(selection: SelectionNode): boolean {
  return (
    selection.kind === Kind.FIELD &&
    (selection.name.value === '__schema' || selection.name.value === '__type')
  );
}
