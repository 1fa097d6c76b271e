import type { ConstDirectiveNode, DocumentNode } from 'graphql';
import { Kind } from 'graphql';

import { isSwitchedOff } from './join-directives.ts';

/**
 * Puts keys with `resolvable: false` behind the others of their type. The planner takes the first key that a subgraph has to
 * identify an entity, also where only a later one can be looked up by. They cannot be left out: interface objects need them.
 */
export function orderKeys(document: DocumentNode): DocumentNode {
  return {
    ...document,
    definitions: document.definitions.map((definition) =>
      (definition.kind === Kind.OBJECT_TYPE_DEFINITION ||
        definition.kind === Kind.INTERFACE_TYPE_DEFINITION) &&
      definition.directives !== undefined
        ? { ...definition, directives: definition.directives.toSorted(byResolvability) }
        : definition,
    ),
  };
}

function byResolvability(one: ConstDirectiveNode, other: ConstDirectiveNode): number {
  return Number(isUnresolvableKey(one)) - Number(isUnresolvableKey(other));
}

function isUnresolvableKey(directive: ConstDirectiveNode): boolean {
  return directive.name.value === 'join__type' && isSwitchedOff(directive, 'resolvable');
}
