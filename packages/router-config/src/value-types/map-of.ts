import type { Kind } from './value-type.ts';
import { unreadable } from './value-type.ts';
import { isMapping } from './mapping.ts';

/** A map from names that the operator chooses, such as those of subgraphs. A member that is null counts as absent. */
export function mapOf<Value>(member: Kind<Value>): Kind<ReadonlyMap<string, Value>> {
  return {
    read: (value, at) => {
      if (!isMapping(value)) {
        at.faultOfKind(value, 'a map');
        return unreadable;
      }
      const members = Object.entries(value)
        .filter(([, held]) => held !== null)
        .map(([name, held]) => [name, member.read(held, at.at(name))] as const);
      const readable = members.filter((entry): entry is readonly [string, Value] => entry[1] !== unreadable);
      return readable.length === members.length ? new Map(readable) : unreadable;
    },
    schema: { type: 'object', additionalProperties: { anyOf: [member.schema, { type: 'null' }] } },
  };
}
