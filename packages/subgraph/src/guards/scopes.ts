import { getDirectiveValues, getNamedType, isObjectType } from 'graphql';
import type { ASTNode, GraphQLDirective } from 'graphql';

import { clientError } from '../errors/client-error.ts';
import type { GuardRule } from './guard.ts';

/** Scopes as `@requiresScopes` states them: one of the lists has to be held completely. */
type Alternatives = readonly (readonly string[])[];

/**
 * `@requiresScopes(scopes:)` on the field, on its type or on what it returns: the caller holds the scopes, or the field
 * is null with an error. `@authenticated` needs no guard: without a valid token no request gets as far as a field.
 */
export const scopes: GuardRule = ({ type, field }, schema) => {
  const directive = schema.getDirective('requiresScopes');
  if (directive === undefined || directive === null) {
    return undefined;
  }
  const returned = getNamedType(field.type);
  const demands = [
    field.astNode,
    type.astNode,
    isObjectType(returned) ? returned.astNode : undefined,
  ].flatMap((node) => demandOf(directive, node));
  if (demands.length === 0) {
    return undefined;
  }
  return (_argumentValues, { caller }) => {
    const isAllowed = demands.every((alternatives) =>
      alternatives.some((scopes) => scopes.every((scope) => caller.scopes.has(scope))),
    );
    if (!isAllowed) {
      throw clientError('UNAUTHORIZED_FIELD_OR_TYPE', 'Unauthorized field or type');
    }
  };
};

function demandOf(directive: GraphQLDirective, node: ASTNode | null | undefined): Alternatives[] {
  const values = node && 'directives' in node ? getDirectiveValues(directive, node) : undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the directive's definition says so
  return values === undefined ? [] : [values['scopes'] as Alternatives];
}
