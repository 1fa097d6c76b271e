import type { Condition } from '@meridian/router-config';

import type { Env, Select, SelectedValue } from './compile-selector.ts';
import { compileSelector } from './compile-selector.ts';
import type { RequestFacts, SubgraphFacts } from './request-facts.ts';

/** Evaluates a condition. Never throws, whatever the request is. */
export type Test = (request: RequestFacts, subgraph: SubgraphFacts | undefined) => boolean;

/** Compiles a condition, once for all requests. */
export function compileCondition(condition: Condition, env?: Env): Test {
  if (typeof condition === 'boolean') {
    return () => condition;
  }
  switch (condition.kind) {
    case 'exists': {
      const select = compileSelector(condition.selector, env);
      return (request, subgraph) => select(request, subgraph) !== undefined;
    }
    case 'not': {
      const test = compileCondition(condition.condition, env);
      return (request, subgraph) => !test(request, subgraph);
    }
    case 'all': {
      const tests = condition.conditions.map((each) => compileCondition(each, env));
      return (request, subgraph) => tests.every((test) => test(request, subgraph));
    }
    case 'any': {
      const tests = condition.conditions.map((each) => compileCondition(each, env));
      return (request, subgraph) => tests.some((test) => test(request, subgraph));
    }
    case 'eq':
    case 'gt':
    case 'lt':
    default: {
      const [left, right] = [compileSelector(condition.left, env), compileSelector(condition.right, env)];
      return comparison(left, right, comparisons[condition.kind]);
    }
  }
}

type Compare = (left: SelectedValue, right: SelectedValue) => boolean;

/** False where a side has no value. */
function comparison(left: Select, right: Select, compare: Compare): Test {
  return (request, subgraph) => {
    const one = left(request, subgraph);
    const other = right(request, subgraph);
    return one !== undefined && other !== undefined && compare(one, other);
  };
}

/** A text that is a number is compared as one: header fields are texts. */
const comparisons: Readonly<Record<'eq' | 'gt' | 'lt', Compare>> = {
  eq: (left, right) => left === right || String(left) === String(right),
  gt: (left, right) => order(left, right) > 0,
  lt: (left, right) => order(left, right) < 0,
};

/** Negative for less, positive for greater, 0 for equal values. */
function order(left: SelectedValue, right: SelectedValue): number {
  const [one, other] = [numberOf(left), numberOf(right)];
  if (one !== undefined && other !== undefined) {
    return one - other;
  }
  const [text, otherText] = [String(left), String(right)];
  return text < otherText ? -1 : text > otherText ? 1 : 0;
}

function numberOf(value: SelectedValue): number | undefined {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
  return Number.isNaN(number) ? undefined : number;
}
