import type { JsonSchema } from './json-schema.ts';
import type { ValueType, Reading } from './value-type.ts';
import { invalid } from './value-type.ts';
import type { Place } from './place.ts';

/** One key of a section: its type, and the meaning of its absence. A key with the value null counts as absent. */
export interface Key<Value> {
  readonly read: (value: unknown, at: Place) => Reading<Value>;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** A required key. */
export function required<Value>(kind: ValueType<Value>): Key<Value> {
  return {
    read: (value, at) => {
      if (!isAbsent(value)) {
        return kind.read(value, at);
      }
      at.fault('is required');
      return invalid;
    },
    schema: kind.schema,
    isRequired: true,
  };
}

/** A key that reads as undefined when it is absent. */
export function optional<Value>(kind: ValueType<Value>): Key<Value | undefined> {
  return {
    read: (value, at) => (isAbsent(value) ? undefined : kind.read(value, at)),
    schema: kind.schema,
    isRequired: false,
  };
}

/** A key with a default, in the file's own notation: `'30s'`, or `{}` for a whole section. */
export function defaulting<Value>(kind: ValueType<Value>, fallback: unknown): Key<Value> {
  return {
    read: (value, at) => kind.read(isAbsent(value) ? fallback : value, at),
    schema: { ...kind.schema, default: fallback },
    isRequired: false,
  };
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}
