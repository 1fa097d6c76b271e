import type { SelectedField } from '../../operation/selected-fields.ts';
import type { AccessRules } from '../../supergraph/access-rules.ts';
import type { Requirement } from '../../operation/requirement.ts';

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
