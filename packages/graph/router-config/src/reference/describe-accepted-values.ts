import type { JsonSchema } from '../declaration/json-schema.ts';
import { partOf } from '../declaration/json-schema.ts';
import { byteSize, duration } from '../declaration/value-types.ts';

const patterns = new Map([
  [partOf(duration.schema, 'pattern'), 'a time such as `5s`'],
  [partOf(byteSize.schema, 'pattern'), 'a size such as `16MiB`'],
]);

const types = new Map<unknown, string>([
  ['boolean', '`true`, `false`'],
  ['number', 'a number'],
  ['array', 'a list'],
  ['object', 'a map'],
]);

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
  const type = partOf(schema, 'type');
  return type === 'integer' ? takesWholeNumber(schema) : (types.get(type) ?? 'a text');
}

function takesWholeNumber(schema: JsonSchema): string {
  const maximum = partOf(schema, 'maximum');
  return `a whole number from ${partOf(schema, 'minimum') ?? 0} ${maximum === undefined ? 'up' : `to ${maximum}`}`;
}
