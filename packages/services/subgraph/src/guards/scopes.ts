import { getDirectiveValues, getNamedType, isObjectType } from 'graphql';
import type { ASTNode, GraphQLDirective } from 'graphql';

import { clientError } from '../errors/client-error.ts';
import type { GuardRule } from './guard.ts';

/** The scopes of `@requiresScopes`: a caller must have all scopes of one of the lists. */
type Alternatives = readonly (readonly string[])[];

/**
 * `@requiresScopes(scopes:)` on the field, on its type or on the type that it returns: without the scopes, the field is
 * null with an error. `@authenticated` needs no guard: a request without a valid token reaches no field.
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
