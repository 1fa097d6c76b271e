import type { GraphQLCompositeType, GraphQLOutputType } from 'graphql';
import {
  getNullableType,
  isAbstractType,
  isCompositeType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';

import type { DataObject } from './data.ts';
import { isObject, property } from './data.ts';
import type { SelectedField, SelectionSet } from '../operation/selection.ts';
import type { OperationPlan } from '../plan/plan.ts';
import type { ResponsePath } from '../result.ts';
import { fieldsOf, findRootType, isOfType } from '../supergraph/schema-types.ts';
import type { DeferredPart, FoundPart } from '../selections/deferred-parts.ts';
import { deferredParts, foundPart, maxFragmentsOfRun, selectionsAt } from '../selections/deferred-parts.ts';
import { isIntrospection } from '../selections/introspection.ts';
import type { SelectedFieldOfType } from '../selections/selected-fields.ts';
import { nonKeyFields, selectedFields } from '../selections/selected-fields.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import { leafWriter } from '../selections/write-leaf.ts';

/**
 * Writes the data of a run, or the fields of a deferred fragment of an object, as the client selected it, as JSON. No text
 * if a null propagated beyond it.
 */
export type WriteData = (data: DataObject, writing: Writing) => Written;

export interface DataWriters {
  /** The data of the first result. */
  readonly writeData: WriteData;
  readonly writePart: (part: DeferredPart) => WriteData;
}

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
  /** Undefined in a plan without deferred fragments. */
  readonly deferral: DeferralWriting | undefined;
}

/** The state of a run with deferred fragments. */
export interface DeferralWriting {
  /** The fragments of the objects written so far. An object that is nulled takes its own back. */
  readonly found: FoundPart[];
  /** The paths, as JSON, of the nulls that were written in places which other fragments select too. */
  readonly nulls: Set<string>;
}

/** Objects at a place, in a plan with deferred fragments. */
interface DeferringPlace {
  /** The names of the fields that lead to it. */
  readonly names: readonly string[];
  /** Other selections of these objects: of the first result, of other fragments. */
  readonly others: readonly SelectionSet[];
  /** True of a deferred fragment that `others` consist of, by its number. */
  readonly isOther: (fragment: number) => boolean;
  /** True where a deferred fragment is written, and not the first result. */
  readonly isDeferred: boolean;
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
  { operationKind, selections, order }: OperationPlan,
): DataWriters {
  const rootType = findRootType(supergraph.apiSchema, operationKind);
  if (rootType === undefined) {
    throw new Error(`The schema has no ${operationKind}`);
  }
  const root: DeferringPlace = { names: [], others: [], isOther: () => true, isDeferred: false };
  const partWriters = new Map<string, WriteData>();
  const partWriter = ({ fragments, place, typeName, sets }: DeferredPart): WriteData => {
    const type = supergraph.apiSchema.getType(typeName);
    if (!isCompositeType(type)) {
      throw new Error(`${typeName} has no fields`);
    }
    return objectWriter(supergraph, type, sets, {
      names: place,
      others: selectionsAt(selections, place),
      isOther: (fragment) => !fragments.includes(fragment),
      isDeferred: true,
    });
  };
  return {
    writeData: objectWriter(supergraph, rootType, [selections], order && root),
    writePart(part) {
      const writer = partWriters.get(part.key) ?? partWriter(part);
      partWriters.set(part.key, writer);
      return writer;
    },
  };
}

type WriterSupergraph = Pick<Supergraph, 'apiSchema' | 'subgraphTypes'>;

function valueWriter(
  supergraph: WriterSupergraph,
  type: GraphQLOutputType,
  sets: readonly SelectionSet[],
  place: ValuePlace | undefined,
): WriteValue {
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    const writeItem = valueWriter(supergraph, nullable.ofType, sets, place);
    return listWriter(nullableWriter(nullable.ofType, writeItem, place));
  }
  if (isCompositeType(nullable)) {
    const write = objectWriter(supergraph, nullable, sets, place);
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
  place: ValuePlace | undefined,
): (value: unknown, writing: Writing) => string | undefined {
  if (place !== undefined && !isNonNullType(type)) {
    return deferringWriter(write, place);
  }
  return isNonNullType(type)
    ? (value, writing) => {
        const text = value === null || value === undefined ? null : write(value, writing);
        return text === null ? unexpectedNull(writing) : text;
      }
    : (value, writing) =>
        value === null || value === undefined ? 'null' : (write(value, writing) ?? 'null');
}

/** A value, in a plan with deferred fragments. */
interface ValuePlace extends DeferringPlace {
  /** True when others select it too. */
  readonly isShared: boolean;
}

/**
 * Writes nulls too. What a client has already does not change: a value that was null stays null, and one that was not does
 * not become null, but the fragment that cannot be written.
 */
function deferringWriter(
  write: WriteValue,
  { isShared, isDeferred }: ValuePlace,
): (value: unknown, writing: Writing) => string | undefined {
  const writeNull = ({ deferral, path }: Writing): string => {
    if (isShared) {
      deferral?.nulls.add(JSON.stringify(path));
    }
    return 'null';
  };
  return (value, writing) => {
    const { deferral, path } = writing;
    const nulls = deferral?.nulls;
    if (isShared && nulls !== undefined && nulls.size > 0 && nulls.has(JSON.stringify(path))) {
      return 'null';
    }
    if (value === null || value === undefined) {
      return writeNull(writing);
    }
    const foundBefore = deferral?.found.length ?? 0;
    const text = write(value, writing);
    if (typeof text === 'string') {
      return text;
    }
    if (deferral !== undefined) {
      deferral.found.length = foundBefore;
    }
    if (isShared && isDeferred) {
      return text === null ? unexpectedNull(writing) : undefined;
    }
    return writeNull(writing);
  };
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
  place?: DeferringPlace,
): (object: DataObject, writing: Writing) => Written {
  const byType = new Map<string, ObjectWriters>();
  const writersFor = (typeName: string): ObjectWriters | undefined => {
    const known = byType.get(typeName);
    if (known !== undefined || !isOfType(supergraph.apiSchema, typeName, type.name)) {
      return known;
    }
    const writers = fieldWriters(supergraph, typeName, sets, place);
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
    for (const { keyText, write } of writers.fields) {
      const value = write(object, writing);
      if (typeof value !== 'string') {
        return value;
      }
      text += text.length === 1 ? keyText + value : `,${keyText}${value}`;
    }
    for (const part of writers.parts) {
      if (writing.deferral !== undefined && writing.deferral.found.length <= maxFragmentsOfRun) {
        writing.deferral.found.push(foundPart(part, writing.path));
      }
    }
    return `${text}}`;
  };
}

interface ObjectWriters {
  readonly fields: readonly FieldWriter[];
  /** The fragments that are deferred on these objects. */
  readonly parts: readonly DeferredPart[];
}

const noParts: readonly DeferredPart[] = [];

/** The fields of one type. It may be an interface, where no subgraph that was asked knows more. */
function fieldWriters(
  supergraph: WriterSupergraph,
  typeName: string,
  sets: readonly SelectionSet[],
  place: DeferringPlace | undefined,
): ObjectWriters {
  const { apiSchema } = supergraph;
  const selected = selectedFields(apiSchema, sets, typeName);
  const parts =
    place === undefined ? noParts : deferredParts(apiSchema, sets, { place: place.names, typeName });
  const others =
    place === undefined
      ? []
      : selectedFields(
          apiSchema,
          [...place.others, ...parts.flatMap((part) => part.sets)],
          typeName,
          place.isOther,
        );
  let nonKey: ReadonlySet<string> | undefined;
  const isMissing = (object: DataObject, { missing }: Writing): boolean => {
    if (!missing.has(object)) {
      return false;
    }
    nonKey ??= nonKeyFields(supergraph, typeName, [...selected, ...others]);
    return [...nonKey].every((planName) => (property(object, planName) ?? null) === null);
  };
  const placeOf = ({ planName, responseName }: SelectedField): ValuePlace | undefined => {
    const other = others.find(({ field }) => field.responseName === responseName);
    return (
      place && {
        ...place,
        names: [...place.names, planName],
        others: other?.below ?? [],
        isShared: other !== undefined,
      }
    );
  };
  return {
    parts,
    fields: selected.map((one) => ({
      keyText: `${JSON.stringify(one.field.responseName)}:`,
      write: fieldWriter(supergraph, typeName, { ...one, isMissing, place: placeOf(one.field) }),
    })),
  };
}

interface WrittenField extends SelectedFieldOfType {
  /** True for an entity of which a subgraph says that it is missing, and no other one knows anything but its key. */
  readonly isMissing: (object: DataObject, writing: Writing) => boolean;
  readonly place: ValuePlace | undefined;
}

function fieldWriter(
  supergraph: WriterSupergraph,
  typeName: string,
  { field: { fieldName, responseName, planName }, below, isMissing, place }: WrittenField,
): FieldWriter['write'] {
  const type = supergraph.apiSchema.getType(typeName);
  if (fieldName === '__typename') {
    const text = JSON.stringify(typeName);
    return isObjectType(type) ? () => text : at(responseName, (_object, writing) => unexpectedNull(writing));
  }
  if (isIntrospection(fieldName)) {
    return (_object, { introspection }) => introspection.get(responseName) ?? 'null';
  }
  const field = fieldsOf(type)[fieldName];
  if (field === undefined) {
    throw new Error(`${typeName} has no field ${fieldName}`);
  }
  const write = nullableWriter(field.type, valueWriter(supergraph, field.type, below, place), place);
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
