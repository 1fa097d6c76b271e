import type { JsonSchema } from './json-schema.ts';
import { keysIn, pathsOf } from './keys-in.ts';
import type { Place } from './value-types/place.ts';
import { nearestKeyRemarks } from './nearest-key.ts';
import { routerOnlyKey } from './router-only-keys.ts';

/**
 * Reports every key that the schema lacks: as a key of Apollo Router, or with the nearest known key. Returns a note for
 * each key of Apollo Router that is ignored.
 */
export function reportUnknownKeys(document: unknown, schema: JsonSchema, root: Place): string[] {
  const remarkOn = nearestKeyRemarks(pathsOf(schema));
  return keysIn(document, schema, root)
    .filter(({ isKnown }) => !isKnown)
    .flatMap(({ at, pattern, value }) => {
      const routerOnly = routerOnlyKey(pattern, value);
      if (routerOnly === undefined) {
        at.fault(`is unknown; ${remarkOn(pattern)}`);
        return [];
      }
      if ('passedOver' in routerOnly) {
        return [`${at.written} has no effect here: ${routerOnly.passedOver}`];
      }
      at.fault(`Apollo Router has this key, and this gateway does not: ${routerOnly.instead}`);
      return [];
    });
}
