import { getNamedType } from 'graphql';

import type { Annotated } from './applied-directives.ts';
import { readerOf } from './applied-directives.ts';
import { declarationsOf } from './field-declarations.ts';
import type { Supergraph } from './load-supergraph.ts';

/** What a caller needs to see something. */
export interface Requirement {
  /** Stands for the requirement: equal ones have equal keys. */
  readonly key: string;
  /**
   * Sets of scopes: all of one set are enough. One empty set takes only a caller who is known; no set at all takes what
   * nobody has.
   */
  readonly scopeSets: readonly (readonly string[])[];
}

/** What a caller needs for a field: all of it. Empty for a field that anybody may see. */
export type AccessRules = (parentName: string, fieldName: string) => readonly Requirement[];

/**
 * Reads `@authenticated` and `@requiresScopes`, on a field, on its parent type and on the type that it returns. A
 * `@policy`, which only a policy engine could decide, is met by nobody.
 *
 * Contract: Gateway, "field the caller may not see".
 */
export function accessRules(supergraph: Supergraph): AccessRules {
  const authenticated = readerOf(supergraph, apollo('authenticated'));
  const requiresScopes = readerOf(supergraph, apollo('requiresScopes'));
  const policy = readerOf(supergraph, apollo('policy'));

  const requirementsOn = (element: Annotated): Requirement[] => [
    ...authenticated(element).map(() => requirement([[]])),
    ...requiresScopes(element).map(({ scopes }) => requirement(scopeSets(scopes))),
    ...policy(element).map(() => requirement([])),
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

function requirement(sets: readonly (readonly string[])[]): Requirement {
  return { key: JSON.stringify(sets), scopeSets: sets };
}

/** The directive's own type is `[[Scope!]!]!`, and composition has checked it. */
function scopeSets(scopes: unknown): string[][] {
  return Array.isArray(scopes)
    ? scopes.map((set: unknown) => (Array.isArray(set) ? set.map(String) : []))
    : [];
}
