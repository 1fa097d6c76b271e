import type { TypeNode } from 'graphql';
import { Kind } from 'graphql';

import { namedTypeOf } from '../../changes/federation/elements.ts';
import type { LintRule } from '../linted-schema.ts';

/** Fields, arguments and input fields that are named after an identifier are of the type `ID`; the field `id` is `ID!`. */
export const ids: LintRule = ({ elements }) =>
  elements
    .filter(({ node }) => {
      if (node.kind === Kind.FIELD_DEFINITION && node.name.value === 'id') {
        return !isNonNullId(node.type);
      }
      const isValue = node.kind === Kind.FIELD_DEFINITION || node.kind === Kind.INPUT_VALUE_DEFINITION;
      return isValue && idName.test(node.name.value) && namedTypeOf(node.type) !== 'ID';
    })
    .map(({ coordinate }) => ({ kind: 'LINT_ID_TYPE', coordinate }));

const idName = /^ids?$|[a-z0-9]Ids?$/u;

function isNonNullId(type: TypeNode): boolean {
  return (
    type.kind === Kind.NON_NULL_TYPE && type.type.kind === Kind.NAMED_TYPE && type.type.name.value === 'ID'
  );
}
