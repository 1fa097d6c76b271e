import type { Change } from '../changes/change.ts';
import { changeOf } from '../changes/change.ts';

import type { IgnoreRules, Rules } from './rules.ts';
import { rulesFile } from './rules.ts';

export interface JudgingRules {
  /** The stricter of both sides, key by key: a change does not loosen the rules that judge it. */
  readonly rules: Rules;
  /** The keys that the changed file loosens. */
  readonly loosened: readonly Change[];
}

/**
 * Compares the rules of the base with the changed ones.
 *
 * Contract: Composition and checks, "the stricter of both sides counts".
 */
export function stricterRules(before: Rules, after: Rules): JudgingRules {
  const { failOn, operations, usageDays, deprecationDays, ignore, lint } = before;
  const rules: Rules = {
    ...after,
    failOn: [...new Set([...after.failOn, ...failOn])],
    operations: operations === 'any' ? 'any' : after.operations,
    usageDays: Math.max(usageDays, after.usageDays),
    deprecationDays: Math.max(deprecationDays, after.deprecationDays),
    ignore: {
      clients: after.ignore.clients.filter((client) => ignore.clients.includes(client)),
      operations: after.ignore.operations.filter((name) => ignore.operations.includes(name)),
      descriptions: ignore.descriptions && after.ignore.descriptions,
    },
    lint: [...new Set([...after.lint, ...lint])],
  };
  return { rules, loosened: loosenedKeys(before, after) };
}

function loosenedKeys(before: Rules, after: Rules): readonly Change[] {
  const fewer = (key: string, one: readonly string[], other: readonly string[]): readonly Change[] =>
    one.every((value) => other.includes(value)) ? [] : [loosened(key, textOf(one), textOf(other))];
  const more = (key: Exclude<keyof IgnoreRules, 'descriptions'>): readonly Change[] =>
    after.ignore[key].every((value) => before.ignore[key].includes(value))
      ? []
      : [loosened(`ignore.${key}`, textOf(before.ignore[key]), textOf(after.ignore[key]))];
  const lower = (key: string, one: number, other: number): readonly Change[] =>
    other < one ? [loosened(key, String(one), String(other))] : [];
  return [
    ...fewer('fail_on', before.failOn, after.failOn),
    ...(before.operations === 'any' && after.operations === 'registered'
      ? [loosened('operations', 'any', 'registered')]
      : []),
    ...lower('usage_days', before.usageDays, after.usageDays),
    ...lower('deprecation_days', before.deprecationDays, after.deprecationDays),
    ...fewer('lint', before.lint, after.lint),
    ...more('clients'),
    ...more('operations'),
    ...(after.ignore.descriptions && !before.ignore.descriptions
      ? [loosened('ignore.descriptions', 'false', 'true')]
      : []),
  ];
}

function loosened(key: string, before: string, after: string): Change {
  return changeOf('RULES_LOOSENED', `${rulesFile} ${key}`, { before, after });
}

function textOf(values: readonly string[]): string {
  return values.length === 0 ? 'nothing' : values.join(', ');
}
