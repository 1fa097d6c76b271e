import type { SelectedField } from '../../operation/selected-fields.ts';
import type { CacheHint } from '../../operation/compiled-operation.ts';
import type { CacheHints } from '../../supergraph/cache-hints.ts';
import { mostRestrictive } from '../../supergraph/cache-hints.ts';

/**
 * The hint for the whole response of an operation: the most restrictive hint of all selected fields, including those
 * that variables may skip. Undefined if no selected field has a hint.
 *
 * Spec: Graph endpoint, "Cache header".
 */
export function hintOfOperation(
  fields: readonly SelectedField[],
  cacheHints: CacheHints,
): CacheHint | undefined {
  return mostRestrictive(
    fields.map(({ parentName, node: { name } }) =>
      name.value === '__schema' || name.value === '__type'
        ? { maxAgeSeconds: 0, isPrivate: false }
        : cacheHints(parentName, name.value),
    ),
  );
}
