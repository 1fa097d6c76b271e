import type { KeyType, Reading } from '../../../declaration/key-type.ts';
import { invalid, listOf } from '../../../declaration/key-type.ts';
import { isMapping } from '../../../declaration/mapping.ts';
import type { Place } from '../../../declaration/place.ts';
import type { Selector, SelectorSite } from './selectors.ts';
import { selectorAt } from './selectors.ts';

/** A condition over values of a request, by Apollo Router's notation. */
export type Condition =
  | boolean
  | { readonly kind: 'eq' | 'gt' | 'lt'; readonly left: Selector; readonly right: Selector }
  | { readonly kind: 'exists'; readonly selector: Selector }
  | { readonly kind: 'not'; readonly condition: Condition }
  | { readonly kind: 'all' | 'any'; readonly conditions: readonly Condition[] };

const kinds = ['eq', 'gt', 'lt', 'exists', 'not', 'all', 'any'] as const;
const takes = `true, false, or one of ${kinds.join(', ')}`;
/** Conditions within conditions. */
const maxNesting = 32;

/** A condition of a stage. */
export function conditionAt(site: SelectorSite, nesting = 1): KeyType<Condition> {
  return {
    read: (value, at) => readCondition(value, at, site, nesting),
    schema: { type: ['object', 'boolean'], additionalProperties: {}, examples: [true] },
  };
}

function readCondition(value: unknown, at: Place, site: SelectorSite, nesting: number): Reading<Condition> {
  if (typeof value === 'boolean' || value === 'true' || value === 'false') {
    return value === true || value === 'true';
  }
  if (nesting > maxNesting) {
    at.fault(`nests more than ${maxNesting} conditions`);
    return invalid;
  }
  if (!isMapping(value)) {
    at.faultOfType(value, takes);
    return invalid;
  }
  const [name = '', ...others] = Object.keys(value);
  const kind = kinds.find((known) => known === name);
  if (kind === undefined || others.length > 0) {
    at.fault(
      `has ${others.length > 0 ? [name, ...others].join(' and ') : name || 'nothing'}; it takes ${takes}`,
    );
    return invalid;
  }
  const held = value[name];
  const inside = at.at(name);
  const selector = selectorAt(site);
  const nested = conditionAt(site, nesting + 1);
  switch (kind) {
    case 'exists': {
      const read = selector.read(held, inside);
      return read === invalid ? invalid : { kind, selector: read };
    }
    case 'not': {
      const condition = nested.read(held, inside);
      return condition === invalid ? invalid : { kind, condition };
    }
    case 'all':
    case 'any': {
      const conditions = listOf(nested).read(held, inside);
      return conditions === invalid ? invalid : { kind, conditions };
    }
    case 'eq':
    case 'gt':
    case 'lt':
    default: {
      const sides = listOf(selector).read(held, inside);
      if (sides === invalid) {
        return invalid;
      }
      const [left, right] = sides;
      if (left === undefined || right === undefined || sides.length > 2) {
        inside.fault(`holds ${sides.length} values; it compares two`);
        return invalid;
      }
      return { kind, left, right };
    }
  }
}
