import type { GraphQLField, GraphQLObjectType, GraphQLSchema } from 'graphql';

import type { SubgraphContext } from '../context.ts';

/** A check that runs before a field is resolved; it throws when the field must not be. */
export type Guard = (
  argumentValues: Readonly<Record<string, unknown>>,
  context: SubgraphContext<unknown>,
) => void;

/** Reads from the schema, once, what has to be checked before a field; undefined where there is nothing. */
export type GuardRule = (field: GuardedField, schema: GraphQLSchema) => Guard | undefined;

/** A field and its parent type. */
export interface GuardedField {
  readonly type: GraphQLObjectType;
  readonly field: GraphQLField<unknown, SubgraphContext<unknown>>;
}
