import type { DocumentNode } from 'graphql';

import { requestError } from '../../errors/request-error.ts';
import { selectionSets } from '../../operation/selection-sets.ts';

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
