import type { DefinitionNode, DocumentNode, FieldNode, SelectionNode } from 'graphql';
import { Kind, print } from 'graphql';

/**
 * The document without leaves that follow an equal one: `{ id id }` means `{ id }`. Validation compares the fields of
 * one response name in pairs, and gives up on a thousand.
 */
export function deduplicateLeaves(document: DocumentNode): DocumentNode {
  return { ...document, definitions: document.definitions.map(withFirstLeaves) };
}

/** The node itself where nothing is repeated below it. */
function withFirstLeaves<Node extends DefinitionNode | SelectionNode>(node: Node): Node {
  if (!('selectionSet' in node) || node.selectionSet === undefined) {
    return node;
  }
  const { selectionSet } = node;
  const selections = firstOfEach(selectionSet.selections).map(withFirstLeaves);
  const isUnchanged =
    selections.length === selectionSet.selections.length &&
    selections.every((selection, index) => selection === selectionSet.selections[index]);
  return isUnchanged ? node : { ...node, selectionSet: { ...selectionSet, selections } };
}

function firstOfEach(selections: readonly SelectionNode[]): SelectionNode[] {
  const seen = new Set<string>();
  return selections.filter((selection) => {
    if (selection.kind !== Kind.FIELD || selection.selectionSet !== undefined) {
      return true;
    }
    const leaf = leafText(selection);
    const isFirst = !seen.has(leaf);
    seen.add(leaf);
    return isFirst;
  });
}

function leafText(leaf: FieldNode): string {
  const isPlain = (leaf.arguments ?? []).length === 0 && (leaf.directives ?? []).length === 0;
  return isPlain
    ? `${leaf.alias === undefined ? '' : `${leaf.alias.value}: `}${leaf.name.value}`
    : print(leaf);
}
