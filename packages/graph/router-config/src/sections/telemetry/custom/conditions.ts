import type { KeyType, Reading } from '../../../declaration/key-type.ts';
import { invalid } from '../../../declaration/key-type.ts';
import { isMapping } from '../../../declaration/mapping.ts';
import type { Place } from '../../../declaration/place.ts';
import type { Selector, SelectorSite } from './selectors.ts';
import { readSelector } from './selectors.ts';

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
export function conditionAt(site: SelectorSite): KeyType<Condition> {
  return {
    read: (value, at) => readCondition(value, at, site, 1),
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
  switch (kind) {
    case 'exists': {
      const selector = readSelector(held, inside, site, []);
      return selector === invalid ? invalid : { kind, selector };
    }
    case 'not': {
      const condition = readCondition(held, inside, site, nesting + 1);
      return condition === invalid ? invalid : { kind, condition };
    }
    case 'all':
    case 'any': {
      const conditions = readList(held, inside, (item, place) =>
        readCondition(item, place, site, nesting + 1),
      );
      return conditions === invalid ? invalid : { kind, conditions };
    }
    case 'eq':
    case 'gt':
    case 'lt':
    default: {
      const sides = readList(held, inside, (item, place) => readSelector(item, place, site, []));
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

function readList<Item>(
  value: unknown,
  at: Place,
  read: (item: unknown, at: Place) => Reading<Item>,
): Reading<readonly Item[]> {
  if (!Array.isArray(value)) {
    at.faultOfType(value, 'a list');
    return invalid;
  }
  const items = value.map((item: unknown, index) => read(item, at.at(index)));
  const valid = items.filter((item): item is Item => item !== invalid);
  return valid.length === items.length ? valid : invalid;
}
