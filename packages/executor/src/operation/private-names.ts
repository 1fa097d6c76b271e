import type { FieldNode } from 'graphql';

import { canonicalArguments } from '../supergraph/synthetic-fields.ts';

/** The names of a client's fields in the plan. */
export interface PrivateNames {
  of(node: FieldNode): string;
}

/**
 * Creates the private names of one operation. The planner merges by response name alone, together with the fields that keys
 * and `@requires` need: a client's alias `id` for another field would become the key of the entity. So every field with an
 * alias or arguments gets a name that nothing else has, one for each response name, field and list of arguments. Fields of
 * different response names never become one: mutations are meant twice when they are written twice.
 */
export function createPrivateNames(prefix: string): PrivateNames {
  const names = new Map<string, string>();
  return {
    of({ alias, name, arguments: nodes = [] }) {
      const responseName = (alias ?? name).value;
      if (name.value === '__typename' || (responseName === name.value && nodes.length === 0)) {
        return name.value;
      }
      const key = `${responseName}:${name.value}(${canonicalArguments(nodes)})`;
      const known = names.get(key) ?? `${prefix}${names.size}`;
      names.set(key, known);
      return known;
    },
  };
}
