import { defaultFieldResolver, isObjectType } from 'graphql';
import type { GraphQLSchema } from 'graphql';

import { entityTypes } from './entity-types.ts';
import type { Guard, GuardRule, GuardedField } from './guard.ts';
import { pageSize } from './page-size.ts';
import { scopes } from './scopes.ts';

/**
 * A request that is cancelled or past its deadline starts no further resolver; of several mutations, none that has not
 * begun. A field without its own resolver only reads existing data, and is not guarded. Spec: Execution rules, rule 11.
 */
const cancellation: GuardRule = ({ field }) =>
  field.resolve === undefined ? undefined : (_argumentValues, { signal }) => signal.throwIfAborted();

/**
 * Each root mutation field gets new loaders: the previous field's write may have outdated what its loaders cached. That
 * field is complete by then, including all selections below it. Spec: Execution rules, rule 2.
 */
const newLoaders: GuardRule = ({ type }, schema) =>
  type === schema.getMutationType() ? (_argumentValues, context) => context.renewLoaders() : undefined;

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
      if (guards.length === 0) {
        continue;
      }
      field.resolve = guarded(field.resolve ?? defaultFieldResolver, guards);
      // A subscription is checked when it begins, and for each event.
      field.subscribe &&= guarded(field.subscribe, guards);
    }
  }
}

/** The check before a field is resolved. */
function guardsOf(field: GuardedField, schema: GraphQLSchema): Guard[] {
  return rules.map((rule) => rule(field, schema)).filter((guard) => guard !== undefined);
}

type Resolve = NonNullable<GuardedField['field']['resolve']>;

function guarded(resolve: Resolve, guards: readonly Guard[]): Resolve {
  return (parent, argumentValues, context, info) => {
    for (const guard of guards) {
      guard(argumentValues, context);
    }
    return resolve(parent, argumentValues, context, info);
  };
}
