import type { ValueType } from './value-type.ts';
import { invalid } from './value-type.ts';
import { isMapping } from './mapping.ts';

/** A map from names that the operator chooses, such as subgraphs. A null member counts as absent. */
export function mapOf<Value>(member: ValueType<Value>): ValueType<ReadonlyMap<string, Value>> {
  return {
    read: (value, at) => {
      if (!isMapping(value)) {
        at.faultOfKind(value, 'a map');
        return invalid;
      }
      const members = Object.entries(value)
        .filter(([, held]) => held !== null)
        .map(([name, held]) => [name, member.read(held, at.at(name))] as const);
      const readable = members.filter((entry): entry is readonly [string, Value] => entry[1] !== invalid);
      return readable.length === members.length ? new Map(readable) : invalid;
    },
    schema: { type: 'object', additionalProperties: { anyOf: [member.schema, { type: 'null' }] } },
  };
}
