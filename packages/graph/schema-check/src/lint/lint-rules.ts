import type { LintRule } from './linted-schema.ts';
import { authorization } from './rules/authorization.ts';
import { boundedLists } from './rules/bounded-lists.ts';
import { deprecationReasons } from './rules/deprecation-reasons.ts';
import { descriptions } from './rules/descriptions.ts';
import { ids } from './rules/ids.ts';
import { names } from './rules/names.ts';
import { nullableRootFields } from './rules/nullable-root-fields.ts';

/** The rules of the house, by their keys under `lint` of schema-check.yaml. */
export const lintRules = {
  authorization,
  bounded_lists: boundedLists,
  deprecation_reasons: deprecationReasons,
  descriptions,
  ids,
  names,
  nullable_root_fields: nullableRootFields,
} as const satisfies Record<string, LintRule>;

export type LintRuleName = keyof typeof lintRules;

export const lintRuleNames: readonly LintRuleName[] = Object.keys(lintRules).filter(isLintRuleName);

function isLintRuleName(name: string): name is LintRuleName {
  return Object.hasOwn(lintRules, name);
}
