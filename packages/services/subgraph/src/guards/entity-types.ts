import { getNamedType, isInterfaceType, isObjectType, isUnionType } from 'graphql';

import { clientError } from '../errors/client-error.ts';
import type { GuardRule } from './guard.ts';

/**
 * `_entities`: each representation must name an entity of this subgraph. @apollo/subgraph checks that on the way, and
 * drops the promises that it has started: if one of those rejects too, the rejection is unhandled, and the process
 * ends.
 */
export const entityTypes: GuardRule = ({ type, field }, schema) => {
  if (type !== schema.getQueryType() || field.name !== '_entities') {
    return undefined;
  }
  const entities = getNamedType(field.type);
  return ({ representations }) => {
    for (const representation of Array.isArray(representations) ? representations : []) {
      const named = schema.getType(typeNameOf(representation));
      const isEntity = isObjectType(named) && isUnionType(entities) && schema.isSubType(entities, named);
      if (!isEntity && !isInterfaceType(named)) {
        throw clientError('BAD_USER_INPUT', 'A representation in _entities names no entity of this subgraph');
      }
    }
  };
};

/** The `__typename` of a representation; empty when it has none. */
function typeNameOf(representation: unknown): string {
  const isNamed =
    typeof representation === 'object' &&
    representation !== null &&
    '__typename' in representation &&
    typeof representation.__typename === 'string';
  return isNamed ? String(representation.__typename) : '';
}
