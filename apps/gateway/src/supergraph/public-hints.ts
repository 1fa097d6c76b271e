import type { Supergraph } from '@meridian/executor';
import { isInterfaceType, isObjectType } from 'graphql';

import { cacheHints } from './cache-hints.ts';

/**
 * The fields, as `Type.field`, with a public cache hint. In a graph that requires authentication, each of them is
 * data of a caller or its tenant with a wrong hint. The gateway keeps such responses private anyway, but other
 * readers of the hints would not.
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
