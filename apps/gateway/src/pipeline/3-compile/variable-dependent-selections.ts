import type {
  ArgumentNode,
  DirectiveNode,
  FragmentDefinitionNode,
  SelectionNode,
  SelectionSetNode,
} from 'graphql';
import { BREAK, Kind, visit } from 'graphql';

/**
 * Creates a predicate: true when selections, or the fragments that they spread, use a variable. No fragment may
 * spread itself. Each selection set is examined once.
 */
export function findVariableDependentSelections(
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): (selectionSet: SelectionSetNode) => boolean {
  const known = new Map<SelectionSetNode, boolean>();

  const dependsOnVariables = (selectionSet: SelectionSetNode): boolean => {
    const isKnown = known.get(selectionSet);
    if (isKnown !== undefined) {
      return isKnown;
    }
    const varies = selectionSet.selections.some(
      (selection) => usesOwnVariable(selection) || isVariedBelow(selection),
    );
    known.set(selectionSet, varies);
    return varies;
  };

  const isVariedBelow = (selection: SelectionNode): boolean => {
    const below =
      selection.kind === Kind.FRAGMENT_SPREAD
        ? fragments.get(selection.name.value)?.selectionSet
        : selection.selectionSet;
    return below !== undefined && dependsOnVariables(below);
  };
  return dependsOnVariables;
}

/** True when a selection itself, apart from its descendants, uses a variable. */
function usesOwnVariable(selection: SelectionNode): boolean {
  const values = selection.kind === Kind.FIELD ? (selection.arguments ?? []) : [];
  return [...values, ...(selection.directives ?? [])].some(usesVariable);
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
