import type { Kind } from './value-type.ts';
import { unreadable } from './value-type.ts';

/** A list whose items are all of one kind. */
export function listOf<Item>(item: Kind<Item>): Kind<readonly Item[]> {
  return {
    read: (value, at) => {
      if (!Array.isArray(value)) {
        at.faultOfKind(value, 'a list');
        return unreadable;
      }
      const items = value.map((member: unknown, index) => item.read(member, at.at(index)));
      const readable = items.filter((read): read is Item => read !== unreadable);
      return readable.length === items.length ? Object.freeze(readable) : unreadable;
    },
    schema: { type: 'array', items: item.schema },
  };
}
