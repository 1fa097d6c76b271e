import type { Supergraph } from '@meridian/executor';
import { isInterfaceType, isObjectType } from 'graphql';

import { cacheHints } from './cache-hints.ts';

/**
 * The fields, as `Type.field`, whose hint lets any cache keep them for everybody. In a graph that only known callers reach,
 * each of them is a caller's own data, or its tenant's, that says it is not: the gateway keeps such answers private all the
 * same, but whatever else reads the hints would not.
 *
 * Spec: Authentication, rules 4 and 5.
 */
export function publicHints(supergraph: Supergraph): readonly string[] {
  const hintOf = cacheHints(supergraph);
  return Object.values(supergraph.apiSchema.getTypeMap()).flatMap((type) => {
    const isOwn = (isObjectType(type) || isInterfaceType(type)) && !type.name.startsWith('__');
    return isOwn
      ? Object.keys(type.getFields())
          .filter((field) => {
            const hint = hintOf(type.name, field);
            return hint !== undefined && hint.maxAgeSeconds > 0 && !hint.isPrivate;
          })
          .map((field) => `${type.name}.${field}`)
      : [];
  });
}
