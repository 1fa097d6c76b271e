import type { CacheHint, PageSizeCheck } from '../../operation/compiled-operation.ts';
import type { Requirement } from '../../operation/requirement.ts';
import type { SelectedField } from '../../operation/selected-fields.ts';
import type { AccessRules } from '../../supergraph/access-rules.ts';
import type { CacheHints } from '../../supergraph/cache-hints.ts';
import { mostRestrictive } from '../../supergraph/cache-hints.ts';
import type { PageSizes } from '../../supergraph/page-sizes.ts';

/** Finds the paging arguments of an operation. */
export function findPageSizes(
  fields: readonly SelectedField[],
  pageSizeOf: PageSizes,
): readonly PageSizeCheck[] {
  return fields.flatMap(({ parentName, node }) =>
    (node.arguments ?? []).flatMap(({ name, value }) => {
      const max = pageSizeOf(parentName, node.name.value, name.value);
      return max === undefined ? [] : [{ argument: name.value, value, max }];
    }),
  );
}

/** Everything that a caller needs to see the whole of an operation, each requirement once. */
export function findRequirements(
  fields: readonly SelectedField[],
  accessRules: AccessRules,
): readonly Requirement[] {
  const found = new Map<string, Requirement>();
  for (const { parentName, node } of fields) {
    for (const requirement of accessRules(parentName, node.name.value)) {
      found.set(requirement.key, requirement);
    }
  }
  return [...found.values()];
}

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
