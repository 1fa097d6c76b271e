import { GraphQLError } from 'graphql';
import type { ValidationRule } from 'graphql';

/** Rejects `_service`, which shows the subgraph's schema, as if the field did not exist. */
export const hideService: ValidationRule = (context) => ({
  Field(node) {
    if (node.name.value === '_service' && context.getParentType() === context.getSchema().getQueryType()) {
      context.reportError(
        new GraphQLError('Cannot query field "_service" on type "Query".', { nodes: node }),
      );
    }
  },
});
