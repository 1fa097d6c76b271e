import type { Mapping } from '../declaration/mapping.ts';
import { isMapping } from '../declaration/mapping.ts';

/**
 * Merges an overlay over a document: maps merge member by member, any other value replaces the previous one. A null
 * removes the key, so its default applies again.
 */
export function mergeOverlay(base: Mapping, overlay: Mapping): Mapping {
  const covering = (key: string, value: unknown): unknown => {
    const covered = Object.hasOwn(base, key) ? base[key] : undefined;
    return isMapping(covered) && isMapping(value) ? mergeOverlay(covered, value) : value;
  };
  // By entries: an assignment to `__proto__` would give the map a prototype, whose keys then count.
  return Object.fromEntries([
    ...Object.entries(base),
    ...Object.entries(overlay).map(([key, value]) => [key, covering(key, value)] as const),
  ]);
}
