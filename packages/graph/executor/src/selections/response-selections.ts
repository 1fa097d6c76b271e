import type { SelectionSetNode } from 'graphql';
import { Kind } from 'graphql';

import type { FetchStep } from '../plan/plan.ts';

/** The selections of a fetch on the data of its response, or on each entity in it. */
export function responseSelections({ document, requires }: FetchStep): readonly SelectionSetNode[] {
  return document.definitions
    .filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
    .flatMap(({ selectionSet }) => {
      if (requires === undefined) {
        return [selectionSet];
      }
      const [entities] = selectionSet.selections;
      return entities?.kind === Kind.FIELD && entities.selectionSet !== undefined
        ? [entities.selectionSet]
        : [];
    });
}
