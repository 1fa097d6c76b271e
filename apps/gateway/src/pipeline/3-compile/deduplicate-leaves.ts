import type { DocumentNode, FieldNode, SelectionNode, SelectionSetNode } from 'graphql';
import { Kind, print, visit } from 'graphql';

/**
 * The document without leaves that follow an equal one: `{ id id }` means `{ id }`. Validation compares the fields of
 * one response name in pairs, and gives up on a thousand.
 */
export function deduplicateLeaves(document: DocumentNode): DocumentNode {
  return visit(document, {
    SelectionSet(node): SelectionSetNode | undefined {
      const selections = firstOfEach(node.selections);
      return selections.length === node.selections.length ? undefined : { ...node, selections };
    },
  });
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
  const isPlain =
    leaf.alias === undefined && (leaf.arguments ?? []).length === 0 && (leaf.directives ?? []).length === 0;
  return isPlain ? leaf.name.value : print(leaf);
}
