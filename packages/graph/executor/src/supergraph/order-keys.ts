import type { ConstDirectiveNode, DocumentNode } from 'graphql';

import { booleanArgument, isFielded } from './join-directives.ts';

/**
 * Moves keys with `resolvable: false` after the other keys of their type. The planner identifies an entity by
 * the first key that a subgraph has, even when only a later one is resolvable. These keys must stay:
 * interface objects need them.
 */
export function orderKeys(document: DocumentNode): DocumentNode {
  return {
    ...document,
    definitions: document.definitions.map((definition) =>
      isFielded(definition) && definition.directives !== undefined
        ? { ...definition, directives: definition.directives.toSorted(byResolvability) }
        : definition,
    ),
  };
}

function byResolvability(one: ConstDirectiveNode, other: ConstDirectiveNode): number {
  return Number(isUnresolvableKey(one)) - Number(isUnresolvableKey(other));
}

function isUnresolvableKey(directive: ConstDirectiveNode): boolean {
  return directive.name.value === 'join__type' && booleanArgument(directive, 'resolvable') === false;
}
