import { isRecord } from '@meridian/settings/values';
import type { DocumentNode, GraphQLNamedInputType, GraphQLSchema, TypeNode } from 'graphql';
import { Kind, getNamedType, isEnumType, isInputObjectType } from 'graphql';

import type { Variables } from '../operation/compiled-operation.ts';

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
  const readers = definitions
    .flatMap((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION ? (definition.variableDefinitions ?? []) : [],
    )
    .flatMap(({ variable, type }) => {
      const reader = readerFor(schema, schema.getType(namedTypeOf(type)));
      return reader === undefined ? [] : [[variable.name.value, reader] as const];
    });
  if (readers.length === 0) {
    return undefined;
  }
  return (variables, into) => {
    const budget = { left: maxValues };
    for (const [name, reader] of readers) {
      read(reader, variables[name], { into, budget });
    }
    if (budget.left < 0) {
      for (const [, reader] of readers) {
        addAll(reader, into);
      }
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
function addAll(first: InputReader, into: Set<string>): void {
  const open: InputReader[] = [first];
  const seen = new Set(open);
  for (let reader = open.pop(); reader !== undefined; reader = open.pop()) {
    if (reader.kind === 'enum') {
      for (const coordinate of reader.values.values()) {
        into.add(coordinate);
      }
      continue;
    }
    into.add(reader.name);
    for (const field of reader.fields.values()) {
      into.add(field.coordinate);
      if (field.reader !== undefined && !seen.has(field.reader)) {
        seen.add(field.reader);
        open.push(field.reader);
      }
    }
  }
}

/** Made once for each type of a schema; an input object may contain itself. */
function readerFor(
  schema: GraphQLSchema,
  type: ReturnType<GraphQLSchema['getType']>,
): InputReader | undefined {
  const known = readersOf.get(schema) ?? new Map<string, InputReader>();
  readersOf.set(schema, known);
  const open: GraphQLNamedInputType[] = [];
  const readerOf = (wanted: GraphQLNamedInputType): InputReader | undefined => {
    const found = known.get(wanted.name);
    if (found !== undefined) {
      return found;
    }
    if (isEnumType(wanted)) {
      const values = wanted.getValues().map(({ name }) => [name, `${wanted.name}.${name}`] as const);
      return remembered(wanted.name, { kind: 'enum', values: new Map(values) });
    }
    if (isInputObjectType(wanted)) {
      open.push(wanted);
      return remembered(wanted.name, { kind: 'object', name: wanted.name, fields: new Map() });
    }
    return undefined;
  };
  const remembered = (name: string, reader: InputReader): InputReader => {
    known.set(name, reader);
    return reader;
  };
  const first = isEnumType(type) || isInputObjectType(type) ? readerOf(type) : undefined;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const reader = known.get(next.name);
    if (isInputObjectType(next) && reader?.kind === 'object') {
      for (const field of Object.values(next.getFields())) {
        reader.fields.set(field.name, {
          coordinate: `${next.name}.${field.name}`,
          reader: readerOf(getNamedType(field.type)),
        });
      }
    }
  }
  return first;
}

function namedTypeOf(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedTypeOf(type.type);
}
