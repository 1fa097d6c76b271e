import { defaultFieldResolver, isObjectType } from 'graphql';
import type { GraphQLSchema } from 'graphql';

import { cancellation } from './cancellation.ts';
import { entityTypes } from './entity-types.ts';
import type { Guard, GuardedField } from './guard.ts';
import { newLoaders } from './new-loaders.ts';
import { pageSize } from './page-size.ts';
import { scopes } from './scopes.ts';

/** In the order in which they run. */
const rules = [cancellation, scopes, pageSize, entityTypes, newLoaders];

/**
 * Enforces the schema's access directives in front of the resolvers. The gateway enforces them too; this
 * protects the subgraph against requests that bypass it. Changes the schema in place.
 */
export function guardFields(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) {
      continue;
    }
    for (const field of Object.values(type.getFields())) {
      const guards = guardsOf({ type, field }, schema);
      if (guards.length > 0) {
        guardField(field, guards);
      }
    }
  }
}

/** The check before a field is resolved. */
function guardsOf(guarded: GuardedField, schema: GraphQLSchema): Guard[] {
  return rules.map((rule) => rule(guarded, schema)).filter((guard) => guard !== undefined);
}

function guardField(field: GuardedField['field'], guards: readonly Guard[]): void {
  const resolve = field.resolve ?? defaultFieldResolver;
  field.resolve = (parent, argumentValues, context, info) => {
    for (const guard of guards) {
      guard(argumentValues, context);
    }
    return resolve(parent, argumentValues, context, info);
  };
}
