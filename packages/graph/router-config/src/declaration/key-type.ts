import type { ValueType } from '@meridian/settings/values';

import type { JsonSchema } from './json-schema.ts';
import { isMapping } from './mapping.ts';
import type { Place } from './place.ts';

/** Replaces a value that was reported as a fault, or a text with a variable that has no value. */
export const invalid: unique symbol = Symbol('invalid');

/** A value, or the mark for a reported fault. */
export type Reading<Value> = Value | typeof invalid;

/** The type of a key's value: its reader and its JSON Schema. */
export interface KeyType<Value> {
  /** Reads a value from the file's notation; reports a fault at the place of a malformed one. */
  readonly read: (value: unknown, at: Place) => Reading<Value>;
  readonly schema: JsonSchema;
}

/** The type that a type of value, or a key, reads as. */
export type ValueOf<Of> = Of extends KeyType<infer Value> ? Value : never;

/** A value without members, of a type of `@meridian/settings/values` or in one of Apollo Router's notations. */
export function scalar<Value>({
  takes,
  read,
  schema,
}: Pick<ValueType<Value>, 'takes' | 'read'> & { readonly schema: JsonSchema }): KeyType<Value> {
  return {
    read: (value, at) => {
      const found = read(value);
      if (found !== undefined) {
        return found;
      }
      at.faultOfType(value, takes);
      return invalid;
    },
    schema,
  };
}

/** A list whose items have one type. */
export function listOf<Item>(item: KeyType<Item>): KeyType<readonly Item[]> {
  return {
    read: (value, at) => {
      if (!Array.isArray(value)) {
        at.faultOfType(value, 'a list');
        return invalid;
      }
      const items = value.map((member: unknown, index) => item.read(member, at.at(index)));
      const valid = items.filter((read): read is Item => read !== invalid);
      return valid.length === items.length ? Object.freeze(valid) : invalid;
    },
    schema: { type: 'array', items: item.schema },
  };
}

/** One value, or a list of them. */
export function oneOrListOf<Item>(item: KeyType<Item>): KeyType<readonly Item[]> {
  const list = listOf(item);
  return {
    read: (value, at) => list.read(Array.isArray(value) ? value : [value], at),
    schema: { anyOf: [item.schema, list.schema] },
  };
}

/** A map from names that the operator chooses, such as subgraphs. A null member counts as absent. */
export function mapOf<Value>(member: KeyType<Value>): KeyType<ReadonlyMap<string, Value>> {
  return {
    read: (value, at) => {
      if (!isMapping(value)) {
        at.faultOfType(value, 'a map');
        return invalid;
      }
      const members = Object.entries(value)
        .filter(([, held]) => held !== null)
        .map(([name, held]) => [name, member.read(held, at.at(name))] as const);
      const valid = members.filter((entry): entry is readonly [string, Value] => entry[1] !== invalid);
      return valid.length === members.length ? new Map(valid) : invalid;
    },
    schema: { type: 'object', additionalProperties: { anyOf: [member.schema, { type: 'null' }] } },
  };
}

/** A type with a rule over its whole value: `fault` returns the end of a sentence, or undefined for a valid value. */
export function checked<Value>(
  type: KeyType<Value>,
  fault: (value: Value) => string | undefined,
): KeyType<Value> {
  return {
    read: (value, at) => {
      const read = type.read(value, at);
      if (read === invalid) {
        return invalid;
      }
      const found = fault(read);
      if (found === undefined) {
        return read;
      }
      at.fault(found);
      return invalid;
    },
    schema: type.schema,
  };
}

/** The fault of a section that does not have exactly one of some members; undefined for one that has. */
export function unlessOneOf<Section>(
  held: Section,
  ...names: readonly (keyof Section & string)[]
): string | undefined {
  if (names.filter((name) => held[name] !== undefined).length === 1) {
    return undefined;
  }
  return names.length === 2
    ? `takes either ${names.join(' or ')}`
    : `takes exactly one of ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
