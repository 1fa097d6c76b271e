import type { TypeNode } from 'graphql';
import { Kind } from 'graphql';

import type { LintRule } from '../linted-schema.ts';
import { isList } from '../linted-schema.ts';

/**
 * A root field is nullable: where a non-null one fails, the response has no data at all, although other root fields
 * succeeded. A list may be non-null if its items are nullable, since then no item can do that.
 */
export const nullableRootFields: LintRule = ({ elements, rootTypes }) =>
  elements
    .filter(
      ({ parent, node }) =>
        parent !== undefined &&
        rootTypes.has(parent) &&
        node.kind === Kind.FIELD_DEFINITION &&
        takesAllWithIt(node.type),
    )
    .map(({ coordinate }) => ({ kind: 'LINT_NON_NULL_ROOT_FIELD', coordinate }));

function takesAllWithIt(type: TypeNode): boolean {
  if (type.kind !== Kind.NON_NULL_TYPE) {
    return false;
  }
  return type.type.kind === Kind.LIST_TYPE ? takesAllWithIt(type.type.type) : !isList(type);
}
