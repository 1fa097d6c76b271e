import type { GraphQLCompositeType, GraphQLOutputType } from 'graphql';
import {
  getNullableType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';

import type { DataObject } from './data.ts';
import { isObject, property } from './data.ts';
import type { SelectionSet } from '../operation/selection.ts';
import type { OperationPlan } from '../plan/plan.ts';
import type { ResponsePath } from '../result.ts';
import { isOfType } from '../supergraph/possible-types.ts';
import { isIntrospection } from '../selections/introspection.ts';
import { nonKeyFields } from '../selections/non-key-fields.ts';
import type { SelectedFieldOfType } from '../selections/selected-fields.ts';
import { selectedFields } from '../selections/selected-fields.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import { findRootType } from '../supergraph/schema-types.ts';
import { leafWriter } from '../selections/write-leaf.ts';

/** Writes the data of a run as the client selected it, as JSON. No text if a null propagated to the root. */
export type WriteData = (data: DataObject, writing: Writing) => Written;

/** The state of writing one run's data. */
export interface Writing {
  readonly introspection: ReadonlyMap<string, string>;
  /**
   * Objects that a subgraph reports as missing. Null for one of which only the key is known is not an error in a nullable
   * place.
   */
  readonly missing: ReadonlySet<DataObject>;
  /** The client's names down to what is being written. */
  readonly path: (string | number)[];
  /** Records a null in a non-null place, or a value of a wrong type. The path changes afterwards. */
  readonly onViolation: (path: ResponsePath, message: string) => void;
}

/**
 * The JSON of a value. Undefined for a value that cannot be written, which has been recorded. Null for a missing
 * entity: its place decides whether that is an error.
 */
type Written = string | undefined | null;

/** Writes a value that is not null. */
type WriteValue = (value: unknown, writing: Writing) => Written;

interface FieldWriter {
  /** `"<response name>":` */
  readonly keyText: string;
  /** No text if a null propagates. */
  readonly write: (object: DataObject, writing: Writing) => Written;
}

/**
 * Compiles the writer of the response: the client's fields in the client's order, each value checked against its
 * type. A null in a non-null place propagates to the nearest nullable ancestor.
 *
 * GraphQL specification §6.4.3 and §6.4.4. Spec: Execution rules, rule 4.
 */
export function compileWriter(
  supergraph: WriterSupergraph,
  { operationKind, selections }: OperationPlan,
): WriteData {
  const rootType = findRootType(supergraph.apiSchema, operationKind);
  if (rootType === undefined) {
    throw new Error(`The schema has no ${operationKind}`);
  }
  return objectWriter(supergraph, rootType, [selections]);
}

type WriterSupergraph = Pick<Supergraph, 'apiSchema' | 'subgraphTypes'>;

function valueWriter(
  supergraph: WriterSupergraph,
  type: GraphQLOutputType,
  sets: readonly SelectionSet[],
): WriteValue {
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    return listWriter(nullableWriter(nullable.ofType, valueWriter(supergraph, nullable.ofType, sets)));
  }
  if (isCompositeType(nullable)) {
    const write = objectWriter(supergraph, nullable, sets);
    return (value, writing) =>
      isObject(value)
        ? write(value, writing)
        : violation(writing, `The value is not of type ${nullable.name}`);
  }
  const write = leafWriter(nullable);
  return (value, writing) => write(value) ?? violation(writing, `The value is not of type ${nullable.name}`);
}

/**
 * Writes nulls too, if the type allows them. A missing entity is null.
 *
 * Spec: Execution rules, rules 4 and 10.
 */
function nullableWriter(
  type: GraphQLOutputType,
  write: WriteValue,
): (value: unknown, writing: Writing) => string | undefined {
  return isNonNullType(type)
    ? (value, writing) => {
        const text = value === null || value === undefined ? null : write(value, writing);
        return text === null ? unexpectedNull(writing) : text;
      }
    : (value, writing) =>
        value === null || value === undefined ? 'null' : (write(value, writing) ?? 'null');
}

function listWriter(writeItem: ReturnType<typeof nullableWriter>): WriteValue {
  return (value, writing) => {
    if (!Array.isArray(value)) {
      return violation(writing, 'The value is not a list');
    }
    let text = '[';
    for (let index = 0; index < value.length; index += 1) {
      writing.path.push(index);
      const item = writeItem(value[index], writing);
      writing.path.pop();
      if (item === undefined) {
        return undefined;
      }
      text += index === 0 ? item : `,${item}`;
    }
    return `${text}]`;
  };
}

function objectWriter(
  supergraph: WriterSupergraph,
  type: GraphQLCompositeType,
  sets: readonly SelectionSet[],
): (object: DataObject, writing: Writing) => Written {
  const byType = new Map<string, readonly FieldWriter[]>();
  const writersFor = (typeName: string): readonly FieldWriter[] | undefined => {
    const known = byType.get(typeName);
    if (known !== undefined || !isOfType(supergraph.apiSchema, typeName, type.name)) {
      return known;
    }
    const writers = fieldWriters(supergraph, typeName, sets);
    byType.set(typeName, writers);
    return writers;
  };

  return (object, writing) => {
    const { __typename } = object;
    const writers = writersFor(
      isAbstractType(type) && typeof __typename === 'string' ? __typename : type.name,
    );
    if (writers === undefined) {
      return violation(writing, `The value is of the type ${String(__typename)}, which is no ${type.name}`);
    }
    let text = '{';
    for (const { keyText, write } of writers) {
      const value = write(object, writing);
      if (typeof value !== 'string') {
        return value;
      }
      text += text.length === 1 ? keyText + value : `,${keyText}${value}`;
    }
    return `${text}}`;
  };
}

/** The fields of one type. It may be an interface, where no subgraph that was asked knows more. */
function fieldWriters(
  supergraph: WriterSupergraph,
  typeName: string,
  sets: readonly SelectionSet[],
): readonly FieldWriter[] {
  const selected = selectedFields(supergraph.apiSchema, sets, typeName);
  let nonKey: ReadonlySet<string> | undefined;
  const isMissing = (object: DataObject, { missing }: Writing): boolean => {
    if (!missing.has(object)) {
      return false;
    }
    nonKey ??= nonKeyFields(supergraph, typeName, selected);
    return [...nonKey].every((planName) => (property(object, planName) ?? null) === null);
  };
  return selected.map((one) => ({
    keyText: `${JSON.stringify(one.field.responseName)}:`,
    write: fieldWriter(supergraph, typeName, { ...one, isMissing }),
  }));
}

interface WrittenField extends SelectedFieldOfType {
  /** True for an entity of which a subgraph says that it is missing, and no other one knows anything but its key. */
  readonly isMissing: (object: DataObject, writing: Writing) => boolean;
}

function fieldWriter(
  supergraph: WriterSupergraph,
  typeName: string,
  { field: { fieldName, responseName, planName }, below, isMissing }: WrittenField,
): FieldWriter['write'] {
  const type = supergraph.apiSchema.getType(typeName);
  if (fieldName === '__typename') {
    const text = JSON.stringify(typeName);
    return isObjectType(type) ? () => text : at(responseName, (_object, writing) => unexpectedNull(writing));
  }
  if (isIntrospection(fieldName)) {
    return (_object, { introspection }) => introspection.get(responseName) ?? 'null';
  }
  const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[fieldName] : undefined;
  if (field === undefined) {
    throw new Error(`${typeName} has no field ${fieldName}`);
  }
  const write = nullableWriter(field.type, valueWriter(supergraph, field.type, below));
  const isNonNull = isNonNullType(field.type);
  return at(responseName, (object, writing) => {
    const value = property(object, planName);
    return isNonNull && (value === null || value === undefined) && isMissing(object, writing)
      ? null
      : write(value, writing);
  });
}

function at(responseName: string, write: FieldWriter['write']): FieldWriter['write'] {
  return (object, writing) => {
    writing.path.push(responseName);
    const text = write(object, writing);
    writing.path.pop();
    return text;
  };
}

function unexpectedNull(writing: Writing): undefined {
  return violation(writing, 'Null for a non-null field');
}

function violation({ path, onViolation }: Writing, message: string): undefined {
  onViolation(path, message);
}
