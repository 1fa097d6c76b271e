import type { Caller } from '@meridian/auth';
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

/** The requirements that a caller does not meet; an anonymous caller meets none. */
export function unmetRequirements(
  requirements: readonly Requirement[],
  caller: Caller | undefined,
): readonly Requirement[] {
  return requirements.filter(({ of, sets }) => !sets.some((names) => holdsAll(caller, of, names)));
}

function holdsAll(caller: Caller | undefined, of: Requirement['of'], names: readonly string[]): boolean {
  return caller !== undefined && names.every((name) => caller[of]?.has(name) === true);
}
