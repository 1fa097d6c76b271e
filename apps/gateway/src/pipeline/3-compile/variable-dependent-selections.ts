import type {
  ArgumentNode,
  DirectiveNode,
  FieldNode,
  FragmentDefinitionNode,
  SelectionNode,
  SelectionSetNode,
} from 'graphql';
import { BREAK, Kind, visit } from 'graphql';

import type { FieldCost, FieldCosts } from '../../supergraph/field-costs.ts';

/**
 * Creates a predicate: true when the cost of selections of a type, with the fragments that they spread, may depend on a
 * variable. No fragment may spread itself. Each selection set is examined once: it occurs at one place, and so applies
 * to one type.
 */
export function findVariableDependentSelections(
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  costOf: FieldCosts,
): (selectionSet: SelectionSetNode, parentName: string) => boolean {
  const known = new Map<SelectionSetNode, boolean>();

  const dependsOnVariables = (selectionSet: SelectionSetNode, parentName: string): boolean => {
    const isKnown = known.get(selectionSet);
    if (isKnown !== undefined) {
      return isKnown;
    }
    const varies = selectionSet.selections.some((selection) => isVaried(selection, parentName));
    known.set(selectionSet, varies);
    return varies;
  };

  const isVaried = (selection: SelectionNode, parentName: string): boolean => {
    if ((selection.directives ?? []).some(usesVariable)) {
      return true;
    }
    if (selection.kind === Kind.FIELD) {
      return isVariedField(selection, costOf(parentName, selection.name.value));
    }
    const fragment =
      selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
    return (
      fragment !== undefined &&
      dependsOnVariables(fragment.selectionSet, fragment.typeCondition?.name.value ?? parentName)
    );
  };

  /** A field without costs, such as `__typename`, costs nothing. */
  const isVariedField = (field: FieldNode, cost: FieldCost | undefined): boolean =>
    cost !== undefined &&
    ((field.arguments ?? []).some((argument) => isVariedArgument(argument, cost)) ||
      (field.selectionSet !== undefined && dependsOnVariables(field.selectionSet, cost.returns)));
  return dependsOnVariables;
}

/**
 * True unless the argument costs the same whatever its value is, and is not the size of a list. An input object, which
 * may hold one, never costs the same.
 */
function isVariedArgument(argument: ArgumentNode, { argumentWeight, listSizes }: FieldCost): boolean {
  const name = argument.name.value;
  return (
    usesVariable(argument) &&
    (argumentWeight(name)?.isFree !== true ||
      listSizes.some(({ slicingArguments }) => slicingArguments.includes(name)))
  );
}

function usesVariable(node: ArgumentNode | DirectiveNode): boolean {
  let isUsed = false;
  visit(node, {
    Variable() {
      isUsed = true;
      return BREAK;
    },
  });
  return isUsed;
}
