import type { SelectionSetNode } from 'graphql';
import { Kind, parse, print, visit } from 'graphql';

import { SupergraphError } from './supergraph-error.ts';

/**
 * Reads a set of fields, as `@key`, `@requires` and `@provides` have it, or the selection of a `@fromContext`, which
 * has braces.
 *
 * @throws {SupergraphError} where it is none
 */
export function parseFieldSet(text: string): SelectionSetNode {
  const source = text.trimStart().startsWith('{') ? text : `{${text}}`;
  const [definition] = parse(source, { noLocation: true }).definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION) {
    throw new SupergraphError(`"${text}" is not a set of fields`);
  }
  return definition.selectionSet;
}

export function printFieldSet({ selections }: SelectionSetNode): string {
  return selections.map((selection) => print(selection)).join(' ');
}

/** The names of all fields of a set, however deep. */
export function fieldNamesOf(set: SelectionSetNode): ReadonlySet<string> {
  const names = new Set<string>();
  visit(set, { Field: (node) => void names.add(node.name.value) });
  return names;
}
