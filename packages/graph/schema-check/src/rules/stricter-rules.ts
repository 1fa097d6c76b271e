import { isDeepStrictEqual } from 'node:util';

import type { Change } from '../changes/change.ts';
import { changeOf } from '../changes/change.ts';

import type { Rules } from './rules.ts';
import { rulesFile } from './rules.ts';

export interface JudgingRules {
  /** The stricter of both sides, key by key: a change does not loosen the rules that judge it. */
  readonly rules: Rules;
  /** The keys that the changed file loosens. */
  readonly loosened: readonly Change[];
}

/**
 * Compares the rules of the base with the changed ones. A key whose stricter value is not the changed file's is loosened.
 *
 * Contract: Composition and checks, "the stricter of both sides counts".
 */
export function stricterRules(before: Rules, after: Rules): JudgingRules {
  const loosened: Change[] = [];
  const judge = <Value>(key: string, one: Value, other: Value, stricter: Stricter<Value>): Value => {
    const value = stricter(one, other);
    if (!isDeepStrictEqual(value, other)) {
      const values = { before: textOf(one), after: textOf(other) };
      loosened.push(changeOf('RULES_LOOSENED', `${rulesFile} ${key}`, values));
    }
    return value;
  };
  const [was, is] = [before.ignore, after.ignore];
  const rules: Rules = {
    ...after,
    failOn: judge('fail_on', before.failOn, after.failOn, union),
    operations: judge('operations', before.operations, after.operations, (one, other) =>
      one === 'any' ? one : other,
    ),
    usageDays: judge('usage_days', before.usageDays, after.usageDays, Math.max),
    deprecationDays: judge('deprecation_days', before.deprecationDays, after.deprecationDays, Math.max),
    ignore: {
      clients: judge('ignore.clients', was.clients, is.clients, intersection),
      operations: judge('ignore.operations', was.operations, is.operations, intersection),
      descriptions: judge(
        'ignore.descriptions',
        was.descriptions,
        is.descriptions,
        (one, other) => one && other,
      ),
    },
    lint: judge('lint', before.lint, after.lint, union),
  };
  return { rules, loosened };
}

type Stricter<Value> = (before: Value, after: Value) => Value;

function union<Item>(before: readonly Item[], after: readonly Item[]): readonly Item[] {
  return [...new Set([...after, ...before])];
}

function intersection<Item>(before: readonly Item[], after: readonly Item[]): readonly Item[] {
  return after.filter((item) => before.includes(item));
}

function textOf(value: unknown): string {
  const text = Array.isArray(value) ? value.join(', ') : String(value);
  return Array.isArray(value) && value.length === 0 ? 'nothing' : text;
}
