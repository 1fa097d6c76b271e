import type { JsonSchema, KeyFacts } from './json-schema.ts';
import { facts } from './json-schema.ts';
import type { KeyType, ValueOf } from './key-type.ts';
import { checked, invalid, unlessOneOf } from './key-type.ts';
import { isMapping } from './mapping.ts';
import { boolean } from './value-types.ts';

/** Everything about one key, besides its type: the reader, the pages, the JSON Schema and the check use it. */
export interface Declaration extends KeyFacts {
  /** The effect of the key: a sentence without its full stop. */
  readonly note?: string;
  /** In the file's own notation: `'30s'`. A key without a default is undefined when it is absent. */
  readonly default?: unknown;
  /** True if the key must be there. */
  readonly required?: boolean;
}

/** A declared key. A key with the value null counts as absent. */
export interface Key<Value> extends KeyType<Value> {
  readonly isRequired: boolean;
}

/** Declares a key of a section. */
export function key<Value>(
  type: KeyType<Value>,
  declared: Declaration & ({ readonly default: unknown } | { readonly required: true }),
): Key<Value>;
export function key<Value>(type: KeyType<Value>, declared: Declaration): Key<Value | undefined>;
export function key<Value>(
  type: KeyType<Value>,
  { note, default: fallback, required: isRequired = false, ...declared }: Declaration,
): Key<Value | undefined> {
  const schema = declared.paid ? asPaid(type.schema) : type.schema;
  return {
    read: (value, at) => {
      const held = value ?? fallback;
      if (held !== undefined) {
        return type.read(held, at);
      }
      if (!isRequired) {
        return undefined;
      }
      at.fault('is required');
      return invalid;
    },
    schema: {
      ...(note !== undefined && { description: note }),
      ...schema,
      // The note on a map also describes each of its members.
      ...(note !== undefined &&
        typeof schema.additionalProperties === 'object' && {
          additionalProperties: { description: note, ...schema.additionalProperties },
        }),
      ...(fallback !== undefined && { default: fallback }),
      [facts]: declared,
    },
    isRequired,
  };
}

/** Declares a key that is false where the file does not have it. */
export function flag(note: string): Key<boolean> {
  return key(boolean, { default: false, note });
}

/** A schema in which the keys below are paid too. */
function asPaid(schema: JsonSchema): JsonSchema {
  const { properties, additionalProperties: named, items, anyOf } = schema;
  return {
    ...schema,
    [facts]: { ...schema[facts], paid: true },
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, member]) => [name, asPaid(member)]),
      ),
    }),
    ...(typeof named === 'object' && { additionalProperties: asPaid(named) }),
    ...(items && { items: asPaid(items) }),
    ...(anyOf && { anyOf: anyOf.map(asPaid) }),
  };
}

/** The keys of a section by name. A section or a map without a declaration of its own is empty when it is absent. */
export type Keys = Readonly<Record<string, KeyType<unknown>>>;

/** The value of a section: the file's own names, each with its typed value. */
export type Section<Declared extends Keys> = {
  readonly [Name in keyof Declared]: ValueOf<Declared[Name]>;
};

/** A map with known keys. `unknownKeys` reports undeclared keys, with suggestions. */
export function section<const Declared extends Keys>(declared: Declared): KeyType<Section<Declared>> {
  const keys = Object.entries(declared).map(
    ([name, member]) => [name, isKey(member) ? member : key(member, { default: {} })] as const,
  );
  return {
    read: (value, at) => {
      if (!isMapping(value)) {
        at.faultOfType(value, 'a map');
        return invalid;
      }
      const entries = keys.map(([name, member]) => [name, member.read(value[name], at.at(name))] as const);
      if (entries.some(([, read]) => read === invalid)) {
        return invalid;
      }
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each entry was read by the key of that name
      return Object.freeze(Object.fromEntries(entries)) as Section<Declared>;
    },
    schema: {
      type: 'object',
      properties: Object.fromEntries(keys.map(([name, { schema }]) => [name, schema])),
      required: keys.filter(([, { isRequired }]) => isRequired).map(([name]) => name),
      additionalProperties: false,
    },
  };
}

/** A section with exactly one of its keys, each of which may be absent. */
export function oneKeyOf<const Declared extends Keys>(declared: Declared): KeyType<Section<Declared>> {
  return checked(section(declared), (held) => unlessOneOf(held, ...Object.keys(declared)));
}

/** A section that is undefined, not empty, when it is absent. */
export function optionalSection<const Declared extends Keys>(
  declared: Declared,
): Key<Section<Declared> | undefined> {
  return key(section(declared), {});
}

/**
 * The same as a section where the JSON Schema says only that it is a map. `unknownKeys` does not look into it, so it reports
 * undeclared keys itself.
 */
export function undocumentedSection<const Declared extends Keys>(
  declared: Declared,
): KeyType<Section<Declared>> {
  const members = section(declared);
  return {
    read: (value, at) => {
      const unknown = Object.keys(isMapping(value) ? value : {}).find(
        (name) => !Object.hasOwn(declared, name),
      );
      if (unknown === undefined) {
        return members.read(value, at);
      }
      at.at(unknown).fault(`is unknown; it takes ${Object.keys(declared).join(', ')}`);
      return invalid;
    },
    schema: { type: 'object' },
  };
}

function isKey(member: KeyType<unknown>): member is Key<unknown> {
  return 'isRequired' in member;
}
