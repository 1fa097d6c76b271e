import type { GraphQLField, GraphQLObjectType, GraphQLSchema } from 'graphql';

import type { SubgraphContext } from '../context.ts';

/** A check that runs before a field is resolved, and throws to reject it. */
export type Guard = (
  argumentValues: Readonly<Record<string, unknown>>,
  context: SubgraphContext<unknown>,
) => void;

/** Reads the check of a field from the schema, once; undefined for a field without one. */
export type GuardRule = (field: GuardedField, schema: GraphQLSchema) => Guard | undefined;

/** A field and its parent type. */
export interface GuardedField {
  readonly type: GraphQLObjectType;
  readonly field: GraphQLField<unknown, SubgraphContext<unknown>>;
}
