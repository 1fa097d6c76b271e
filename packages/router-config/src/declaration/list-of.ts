import type { ValueType } from './value-type.ts';
import { invalid } from './value-type.ts';

/** A list whose items have one type. */
export function listOf<Item>(item: ValueType<Item>): ValueType<readonly Item[]> {
  return {
    read: (value, at) => {
      if (!Array.isArray(value)) {
        at.faultOfKind(value, 'a list');
        return invalid;
      }
      const items = value.map((member: unknown, index) => item.read(member, at.at(index)));
      const readable = items.filter((read): read is Item => read !== invalid);
      return readable.length === items.length ? Object.freeze(readable) : invalid;
    },
    schema: { type: 'array', items: item.schema },
  };
}
