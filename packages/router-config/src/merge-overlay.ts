import type { Mapping } from './value-types/mapping.ts';
import { isMapping } from './value-types/mapping.ts';

/**
 * Merges an overlay over a document: maps merge member by member, any other value replaces the previous one. A null
 * removes the key, so its default applies again.
 */
export function mergeOverlay(base: Mapping, overlay: Mapping): Mapping {
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(overlay)) {
    const covered = merged[key];
    merged[key] = isMapping(covered) && isMapping(value) ? mergeOverlay(covered, value) : value;
  }
  return merged;
}
