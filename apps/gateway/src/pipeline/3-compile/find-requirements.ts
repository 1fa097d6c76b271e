import type { DocumentNode, GraphQLSchema } from 'graphql';
import { TypeInfo, visit, visitWithTypeInfo } from 'graphql';

import type { AccessRules, Requirement } from '../../supergraph/access-rules.ts';

/** Everything that a caller needs to see the whole of an operation, each requirement once. */
export function findRequirements(
  schema: GraphQLSchema,
  document: DocumentNode,
  accessRules: AccessRules,
): readonly Requirement[] {
  const found = new Map<string, Requirement>();
  const typeInfo = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      Field({ name }) {
        for (const requirement of accessRules(typeInfo.getParentType()?.name ?? '', name.value)) {
          found.set(requirement.key, requirement);
        }
      },
    }),
  );
  return [...found.values()];
}
