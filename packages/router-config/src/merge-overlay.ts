import type { Mapping } from './value-types/mapping.ts';
import { isMapping } from './value-types/mapping.ts';

/**
 * Lays one document over another: maps merge member by member, anything else replaces what it covers. A null takes
 * the key away, so that its default holds again.
 */
export function mergeOverlay(base: Mapping, overlay: Mapping): Mapping {
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(overlay)) {
    const covered = merged[key];
    merged[key] = isMapping(covered) && isMapping(value) ? mergeOverlay(covered, value) : value;
  }
  return merged;
}
