import type { GraphQLSchema } from 'graphql';

import type { Change } from '../change.ts';
import { changeOf } from '../change.ts';

/** Compares the names of the root types. A schema that gains mutations breaks no client. */
export function compareRootTypes(before: GraphQLSchema, after: GraphQLSchema): Change[] {
  const roots = [
    ['SCHEMA_QUERY_TYPE_CHANGED', before.getQueryType(), after.getQueryType()],
    ['SCHEMA_MUTATION_TYPE_CHANGED', before.getMutationType(), after.getMutationType()],
    ['SCHEMA_SUBSCRIPTION_TYPE_CHANGED', before.getSubscriptionType(), after.getSubscriptionType()],
  ] as const;
  return roots.flatMap(([kind, one, other]) => {
    const names = { before: one?.name, after: other?.name };
    const level = names.before === undefined ? 'safe' : 'breaking';
    return names.before === names.after ? [] : [changeOf(kind, 'schema', { ...names, level })];
  });
}
