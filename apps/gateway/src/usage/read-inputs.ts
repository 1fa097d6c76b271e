import { isRecord } from '@meridian/settings/values';
import type { DocumentNode, GraphQLNamedType, GraphQLSchema } from 'graphql';
import { Kind, getNamedType, isEnumType, isInputObjectType, typeFromAST } from 'graphql';

import type { Variables } from '../operation/admitted-operation.ts';

/**
 * Adds the coordinates of what variables hold to a set: input objects, their fields (`Input.field`) and enum values
 * (`Enum.VALUE`). No other value is kept.
 */
export type ReadInputs = (variables: Variables, into: Set<string>) => void;

/**
 * The input objects and enum values that are read of one request. Beyond them, all that a variable may hold counts as
 * sent.
 */
const maxValues = 200;

const readersOf = new WeakMap<GraphQLSchema, Map<string, InputReader>>();

/**
 * Prepares to read the variables of an operation. Undefined where none of them can hold an input object or an enum
 * value, as in most operations: requests for these cost nothing.
 */
export function createReadInputs(
  schema: GraphQLSchema,
  { definitions }: DocumentNode,
): ReadInputs | undefined {
  const known = readersOf.get(schema) ?? new Map<string, InputReader>();
  readersOf.set(schema, known);
  const readers = definitions.flatMap((definition) =>
    (definition.kind === Kind.OPERATION_DEFINITION ? (definition.variableDefinitions ?? []) : []).flatMap(
      ({ variable, type }) => {
        const reader = readerOf(getNamedType(typeFromAST(schema, type)), known);
        return reader === undefined ? [] : [[variable.name.value, reader] as const];
      },
    ),
  );
  if (readers.length === 0) {
    return undefined;
  }
  return (variables, into) => {
    const budget = { left: maxValues };
    for (const [name, reader] of readers) {
      read(reader, variables[name], { into, budget });
    }
    if (budget.left < 0) {
      const seen = new Set<InputReader>();
      readers.forEach(([, reader]) => addAll(reader, into, seen));
    }
  };
}

type InputReader = EnumReader | ObjectReader;

interface EnumReader {
  readonly kind: 'enum';
  /** Coordinates, by value. */
  readonly values: ReadonlyMap<unknown, string>;
}

interface ObjectReader {
  readonly kind: 'object';
  readonly name: string;
  readonly fields: Map<string, FieldReader>;
}

interface FieldReader {
  readonly coordinate: string;
  /** Absent for a scalar. */
  readonly reader: InputReader | undefined;
}

interface Reading {
  readonly into: Set<string>;
  readonly budget: { left: number };
}

function read(reader: InputReader, value: unknown, reading: Reading): void {
  reading.budget.left -= 1;
  if (value === null || value === undefined || reading.budget.left < 0) {
    return;
  }
  if (Array.isArray(value)) {
    for (const item of value) {
      if (reading.budget.left < 0) {
        return;
      }
      read(reader, item, reading);
    }
  } else if (reader.kind === 'enum') {
    const coordinate = reader.values.get(value);
    if (coordinate !== undefined) {
      reading.into.add(coordinate);
    }
  } else if (isRecord(value)) {
    reading.into.add(reader.name);
    // Over the keys that were sent, which are fewer than the fields, and without an array of them.
    for (const name in value) {
      const field = reader.fields.get(name);
      if (field !== undefined) {
        reading.into.add(field.coordinate);
        if (field.reader !== undefined) {
          read(field.reader, value[name], reading);
        }
      }
    }
  }
}

/** Adds everything that a value may hold. */
function addAll(reader: InputReader | undefined, into: Set<string>, seen: Set<InputReader>): void {
  if (reader === undefined || seen.has(reader)) {
    return;
  }
  seen.add(reader);
  if (reader.kind === 'enum') {
    reader.values.forEach((coordinate) => into.add(coordinate));
    return;
  }
  into.add(reader.name);
  for (const field of reader.fields.values()) {
    into.add(field.coordinate);
    addAll(field.reader, into, seen);
  }
}

/** @param known the readers of a schema's types so far: an input object may contain itself */
function readerOf(
  type: GraphQLNamedType | undefined,
  known: Map<string, InputReader>,
): InputReader | undefined {
  const found = type && known.get(type.name);
  if (found !== undefined) {
    return found;
  }
  if (isEnumType(type)) {
    const values = type.getValues().map(({ name }) => [name, `${type.name}.${name}`] as const);
    const reader: InputReader = { kind: 'enum', values: new Map(values) };
    known.set(type.name, reader);
    return reader;
  }
  if (!isInputObjectType(type)) {
    return undefined;
  }
  const reader: InputReader = { kind: 'object', name: type.name, fields: new Map() };
  known.set(type.name, reader);
  for (const field of Object.values(type.getFields())) {
    const coordinate = `${type.name}.${field.name}`;
    reader.fields.set(field.name, { coordinate, reader: readerOf(getNamedType(field.type), known) });
  }
  return reader;
}
