import type { Supergraph } from '@meridian/executor';
import { getNamedType } from 'graphql';

import type { Annotated } from './applied-directives.ts';
import { readerOf } from './applied-directives.ts';
import { declarationsOf } from './field-declarations.ts';
import type { Requirement } from '../operation/requirement.ts';
import { createRequirement } from '../operation/requirement.ts';

/** The requirements for a field: a caller must meet all of them. Empty for a public field. */
export type AccessRules = (parentName: string, fieldName: string) => readonly Requirement[];

/**
 * Reads `@authenticated`, `@requiresScopes` and `@policy`, on a field, on its parent type and on the type that it
 * returns.
 *
 * Contract: Gateway, "field the caller may not see".
 */
export function accessRules(supergraph: Supergraph): AccessRules {
  const authenticated = readerOf(supergraph, apollo('authenticated'));
  const requiresScopes = readerOf(supergraph, apollo('requiresScopes'));
  const policy = readerOf(supergraph, apollo('policy'));

  const requirementsOn = (element: Annotated): Requirement[] => [
    ...authenticated(element).map(() => createRequirement('scopes', [[]])),
    ...requiresScopes(element).map(({ scopes }) => createRequirement('scopes', setsIn(scopes))),
    ...policy(element).map(({ policies }) => createRequirement('policies', setsIn(policies))),
  ];
  // A valid operation names fields of the schema only, so there are no more entries than fields.
  const known = new Map<string, readonly Requirement[]>();
  const read = (parentName: string, fieldName: string): readonly Requirement[] => {
    const all = declarationsOf(supergraph.schema, parentName, fieldName).flatMap(({ parent, field }) =>
      [field, parent, getNamedType(field.type)].flatMap(requirementsOn),
    );
    return [...new Map(all.map((found) => [found.key, found])).values()];
  };
  return (parentName, fieldName) => {
    const coordinate = `${parentName}.${fieldName}`;
    const requirements = known.get(coordinate) ?? read(parentName, fieldName);
    known.set(coordinate, requirements);
    return requirements;
  };
}

function apollo(feature: string): { identity: string; directive: string } {
  return { identity: `https://specs.apollo.dev/${feature}`, directive: feature };
}

/** The directives' own types are `[[Scope!]!]!` and `[[Policy!]!]!`, and composition has checked them. */
function setsIn(names: unknown): string[][] {
  return Array.isArray(names) ? names.map((set: unknown) => (Array.isArray(set) ? set.map(String) : [])) : [];
}
