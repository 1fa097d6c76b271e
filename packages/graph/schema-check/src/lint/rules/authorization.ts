import { Kind, OperationTypeNode } from 'graphql';

import type { LintRule } from '../linted-schema.ts';
import { directiveOf } from '../linted-schema.ts';

const ofMutations = ['requiresScopes', 'policy'] as const;
const ofOthers = ['authenticated', ...ofMutations] as const;

/** A root field says who may use it: a mutation by its scopes or a policy, any other at least by `@authenticated`. */
export const authorization: LintRule = ({ elements, rootTypes }) => {
  const ofTypes = new Map(
    elements
      .filter(({ parent }) => parent === undefined)
      .map(({ coordinate, directives }) => [coordinate, directives]),
  );
  return elements
    .filter(({ parent, node, directives }) => {
      const operation = rootTypes.get(parent ?? '');
      if (operation === undefined || node.kind !== Kind.FIELD_DEFINITION) {
        return false;
      }
      const applied = [...directives, ...(ofTypes.get(parent ?? '') ?? [])];
      const accepted = operation === OperationTypeNode.MUTATION ? ofMutations : ofOthers;
      return accepted.every((name) => directiveOf(applied, name) === undefined);
    })
    .map(({ coordinate }) => ({ kind: 'LINT_NO_AUTHORIZATION', coordinate }));
};
