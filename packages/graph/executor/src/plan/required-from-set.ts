import type { SelectionSetNode } from 'graphql';
import { Kind } from 'graphql';

import type { SyntheticFields } from '../supergraph/synthetic-fields.ts';
import type { RequiredSelection } from './plan.ts';

/** The required selections of a set of fields. */
export function requiredFromSet(
  { selections }: SelectionSetNode,
  syntheticFields: SyntheticFields,
): readonly RequiredSelection[] {
  return selections.flatMap((selection): RequiredSelection[] => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      return [];
    }
    const below =
      selection.selectionSet === undefined
        ? undefined
        : requiredFromSet(selection.selectionSet, syntheticFields);
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      return [
        { kind: 'fragment', typeCondition: selection.typeCondition?.name.value, selections: below ?? [] },
      ];
    }
    const planName = selection.name.value;
    const name = syntheticFields.get(planName)?.fieldName ?? planName;
    return [{ kind: 'field', planName, name, selections: below }];
  });
}
