import type { Supergraph } from '@meridian/executor';
import { getNamedType } from 'graphql';

import type { Annotated } from './applied-directives.ts';
import { readerOf } from './applied-directives.ts';
import { declarationsOf } from './field-declarations.ts';

/** What a caller needs to see something. */
export interface Requirement {
  /** Stands for the requirement: equal ones have equal keys. */
  readonly key: string;
  /** What the sets are of, which says where a caller holds them. */
  readonly of: 'scopes' | 'policies';
  /** All of one set are enough. One empty set takes only a caller who is known; no set at all takes what nobody has. */
  readonly sets: readonly (readonly string[])[];
}

/** What a caller needs for a field: all of it. Empty for a field that anybody may see. */
export type AccessRules = (parentName: string, fieldName: string) => readonly Requirement[];

/**
 * Reads `@authenticated`, `@requiresScopes` and `@policy`, on a field, on its parent type and on the type that it returns.
 *
 * Contract: Gateway, "field the caller may not see".
 */
export function accessRules(supergraph: Supergraph): AccessRules {
  const authenticated = readerOf(supergraph, apollo('authenticated'));
  const requiresScopes = readerOf(supergraph, apollo('requiresScopes'));
  const policy = readerOf(supergraph, apollo('policy'));

  const requirementsOn = (element: Annotated): Requirement[] => [
    ...authenticated(element).map(() => requirement('scopes', [[]])),
    ...requiresScopes(element).map(({ scopes }) => requirement('scopes', setsIn(scopes))),
    ...policy(element).map(({ policies }) => requirement('policies', setsIn(policies))),
  ];
  return (parentName, fieldName) => {
    const all = declarationsOf(supergraph.schema, parentName, fieldName).flatMap(({ parent, field }) =>
      [field, parent, getNamedType(field.type)].flatMap(requirementsOn),
    );
    return [...new Map(all.map((found) => [found.key, found])).values()];
  };
}

function apollo(feature: string): { identity: string; directive: string } {
  return { identity: `https://specs.apollo.dev/${feature}`, directive: feature };
}

function requirement(of: Requirement['of'], sets: Requirement['sets']): Requirement {
  return { key: JSON.stringify([of, ...sets]), of, sets };
}

/** The directives' own types are `[[Scope!]!]!` and `[[Policy!]!]!`, and composition has checked them. */
function setsIn(names: unknown): string[][] {
  return Array.isArray(names) ? names.map((set: unknown) => (Array.isArray(set) ? set.map(String) : [])) : [];
}
