import type { GraphQLSchema } from 'graphql';

import type { TypenameRewrite } from '../plan/plan.ts';
import { isOfType } from '../supergraph/possible-types.ts';

/** The `__typename` that a representation of an object of this type is sent with. */
export function sentTypename(
  schema: GraphQLSchema,
  rewrites: readonly TypenameRewrite[],
  typeName: string,
): string {
  return rewrites.reduce(
    (current, { type, typename }) => (isOfType(schema, current, type) ? typename : current),
    typeName,
  );
}
