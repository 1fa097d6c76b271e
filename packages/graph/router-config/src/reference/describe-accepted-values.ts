import type { JsonSchema } from '../declaration/json-schema.ts';
import { expansion, partOf } from '../declaration/json-schema.ts';
import { byteSize, duration } from '../declaration/value-types.ts';

const patterns = new Map([
  [partOf(duration.schema, 'pattern'), 'a time such as `5s`'],
  [partOf(byteSize.schema, 'pattern'), 'a size such as `16MiB`'],
]);

const types = new Map<unknown, string>([
  ['boolean', '`true`, `false`'],
  ['string', 'a text'],
  ['number', 'a number'],
  ['array', 'a list'],
  ['object', 'a map'],
]);

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' });

/** The values that a key takes, in a few words. */
export function describeAcceptedValues(schema: JsonSchema): string {
  const words = partOf(schema, 'enum');
  if (words !== undefined) {
    return words.map((word) => `\`${word}\``).join(', ');
  }
  const pattern = patterns.get(partOf(schema, 'pattern'));
  if (pattern !== undefined) {
    return pattern;
  }
  const all = new Set(typesOf(schema));
  if (all.has('boolean') && all.size > 1) {
    const others = ['string', 'number', 'array', 'object'].filter((type) => all.has(type));
    return alternatives.format(['`true`', '`false`', ...others.map((type) => types.get(type) ?? '')]);
  }
  const type = partOf(schema, 'type');
  return type === 'integer' ? takesWholeNumber(schema) : (types.get(type) ?? 'a text');
}

/** The types of all alternatives, besides a variable and null. */
function typesOf({ type = [], pattern, anyOf = [] }: JsonSchema): readonly string[] {
  return pattern === expansion.pattern
    ? []
    : [type, ...anyOf.map(typesOf)].flat().filter((one) => one !== 'null');
}

function takesWholeNumber(schema: JsonSchema): string {
  const maximum = partOf(schema, 'maximum');
  return `a whole number from ${partOf(schema, 'minimum') ?? 0} ${maximum === undefined ? 'up' : `to ${maximum}`}`;
}
