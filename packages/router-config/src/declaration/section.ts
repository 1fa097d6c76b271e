import type { Key } from './key.ts';
import type { ValueType } from './value-type.ts';
import { invalid } from './value-type.ts';
import { isMapping } from './mapping.ts';

/** The keys of a section by name. */
export type Keys = Readonly<Record<string, Key<unknown>>>;

/** The value of a section: the file's own names, each with its typed value. */
export type Section<Declared extends Keys> = {
  readonly [Name in keyof Declared]: Declared[Name] extends Key<infer Value> ? Value : never;
};

/** A map with known keys. `unknownKeys` reports undeclared keys, with suggestions. */
export function section<const Declared extends Keys>(declared: Declared): ValueType<Section<Declared>> {
  const keys = Object.entries(declared);
  return {
    read: (value, at) => {
      if (!isMapping(value)) {
        at.faultOfKind(value, 'a map');
        return invalid;
      }
      const entries = keys.map(([name, key]) => [name, key.read(value[name], at.at(name))] as const);
      if (entries.some(([, read]) => read === invalid)) {
        return invalid;
      }
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each entry was read by the key of that name
      return Object.freeze(Object.fromEntries(entries)) as Section<Declared>;
    },
    schema: {
      type: 'object',
      properties: Object.fromEntries(keys.map(([name, key]) => [name, key.schema])),
      required: keys.filter(([, key]) => key.isRequired).map(([name]) => name),
      additionalProperties: false,
    },
  };
}
