import type { GraphQLLeafType, GraphQLNamedType, GraphQLOutputType, GraphQLSchema } from 'graphql';
import {
  getNullableType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';

import type { SelectedField, SelectionSet } from '../../../src/operation/selection.ts';
import type { OperationPlan } from '../../../src/plan/plan.ts';
import type { ResponsePath } from '../../../src/result.ts';
import type { Supergraph } from '../../../src/supergraph/load-supergraph.ts';
import { isOfType } from '../../../src/supergraph/schema-types.ts';
import { isRawNumber } from '../exact-json.ts';
import type { DataObject } from './data-object.ts';
import { typeNameOf } from './data-object.ts';
import type { Brought } from './run-steps.ts';

interface Shaping extends Pick<Brought, 'data' | 'errors' | 'missing'> {
  /** The values of the root's introspection fields, by response name. */
  readonly introspection: ReadonlyMap<string, unknown>;
}

/** A null where there may be none, on its way to the nearest place where there may. */
class ClimbingNull extends Error {
  override readonly name: string = 'ClimbingNull';
}

/** An entity of which nothing but a key is known: null in its place, which says whether that is an error. */
class MissingEntity extends ClimbingNull {
  override readonly name = 'MissingEntity';
}

/**
 * Shapes the data as the client selected it, as JSON. A null in a non-null place, and a value that is not of its type,
 * is an error of the answer unless a fetch has accounted for it.
 *
 * GraphQL specification §6.4.3 and §6.4.4. Spec: Execution rules, rules 4 and 10.
 */
export function shapeData(
  { apiSchema: schema, subgraphTypes }: Supergraph,
  { operationKind, selections }: OperationPlan,
  { data, errors, missing, introspection }: Shaping,
): string {
  // Errors that were left out may be of any place.
  const accounted = errors.kept.flatMap(({ kind, path = kind === 'omitted' ? [] : undefined }) =>
    path === undefined ? [] : [path],
  );
  const rootType = operationKind === 'query' ? schema.getQueryType() : schema.getMutationType();
  return orNull(() => shapeObject(rootType ?? undefined, data, [selections], []));

  /** A value of a type, null or not. */
  function shape(
    type: GraphQLOutputType,
    value: unknown,
    sets: readonly SelectionSet[],
    path: ResponsePath,
  ): string {
    if (value !== null && value !== undefined) {
      return isNonNullType(type)
        ? orRefused(() => shapeValue(type, value, sets, path), path)
        : orNull(() => shapeValue(type, value, sets, path));
    }
    return isNonNullType(type) ? refuseNull(path) : 'null';
  }

  function shapeValue(
    type: GraphQLOutputType,
    value: unknown,
    sets: readonly SelectionSet[],
    path: ResponsePath,
  ): string {
    const nullable = getNullableType(type);
    if (isListType(nullable)) {
      return Array.isArray(value)
        ? `[${value.map((item: unknown, index) => shape(nullable.ofType, item, sets, [...path, index])).join(',')}]`
        : refuse(path, 'The value is not a list');
    }
    if (!isCompositeType(nullable)) {
      return leafText(nullable, value) ?? refuse(path, `The value is not of type ${nullable.name}`);
    }
    if (!(value instanceof Map)) {
      return refuse(path, `The value is not of type ${nullable.name}`);
    }
    const object: DataObject = value;
    const typeName = isAbstractType(nullable) ? (typeNameOf(object) ?? nullable.name) : nullable.name;
    return isOfType(schema, typeName, nullable.name)
      ? shapeObject(schema.getType(typeName), object, sets, path)
      : refuse(path, `The value is not of type ${nullable.name}`);
  }

  function shapeObject(
    type: GraphQLNamedType | undefined,
    object: DataObject,
    sets: readonly SelectionSet[],
    path: ResponsePath,
  ): string {
    const members: string[] = [];
    for (const [responseName, fields] of collectFields(schema, type?.name ?? '', sets)) {
      const text = shapeField(type, object, { fields, sets }, [...path, responseName]);
      members.push(`${JSON.stringify(responseName)}:${text}`);
    }
    return `{${members.join(',')}}`;
  }

  /** True where a value that is not part of a key would be lost with the object. */
  function isKnown(
    type: GraphQLNamedType | undefined,
    object: DataObject,
    sets: readonly SelectionSet[],
  ): boolean {
    const keyFields = subgraphTypes.keyFields(type?.name ?? '');
    return [...collectFields(schema, type?.name ?? '', sets).values()].some(
      ([{ fieldName, planName } = nothing]) =>
        !fieldName.startsWith('__') && !keyFields.has(fieldName) && (object.get(planName) ?? null) !== null,
    );
  }

  function shapeField(
    type: GraphQLNamedType | undefined,
    object: DataObject,
    { fields, sets }: { readonly fields: readonly SelectedField[]; readonly sets: readonly SelectionSet[] },
    path: ResponsePath,
  ): string {
    const [{ fieldName, planName, responseName } = nothing] = fields;
    if (fieldName === '__typename') {
      return isObjectType(type) ? JSON.stringify(type.name) : refuse(path, 'The type is not known');
    }
    if (fieldName === '__schema' || fieldName === '__type') {
      return JSON.stringify(introspection.get(responseName) ?? null);
    }
    const definition = isObjectType(type) || isInterfaceType(type) ? type.getFields()[fieldName] : undefined;
    if (definition === undefined) {
      throw new Error(`${String(type)} has no field ${fieldName}`);
    }
    const value = object.get(planName) ?? null;
    if (
      value === null &&
      isNonNullType(definition.type) &&
      missing.has(object) &&
      !isKnown(type, object, sets)
    ) {
      throw new MissingEntity();
    }
    return shape(
      definition.type,
      value,
      fields.map(({ selections: below }) => below),
      path,
    );
  }

  function orRefused(shapeNonNull: () => string, path: ResponsePath): string {
    try {
      return shapeNonNull();
    } catch (error) {
      if (error instanceof MissingEntity) {
        return refuseNull(path);
      }
      throw error;
    }
  }

  function refuseNull(path: ResponsePath): never {
    return refuse(path, 'Null for a non-null field');
  }

  function refuse(path: ResponsePath, message: string): never {
    if (!accounted.some((other) => isOneAboveTheOther(other, path))) {
      errors.note({
        kind: 'subrequest',
        code: 'SUBREQUEST_MALFORMED_RESPONSE',
        cause: new Error(message),
        path,
      });
    }
    throw new ClimbingNull();
  }
}

const nothing = { fieldName: '', planName: '', responseName: '' };

function orNull(shape: () => string): string {
  try {
    return shape();
  } catch (error) {
    if (error instanceof ClimbingNull) {
      return 'null';
    }
    throw error;
  }
}

function isOneAboveTheOther(one: ResponsePath, other: ResponsePath): boolean {
  return one.every((key, index) => index >= other.length || key === other[index]);
}

/** The fields of a type that are selected, by response name, in the order in which they are first met. */
function collectFields(
  schema: GraphQLSchema,
  typeName: string,
  sets: readonly SelectionSet[],
): ReadonlyMap<string, readonly SelectedField[]> {
  const fields = new Map<string, SelectedField[]>();
  const collect = (set: SelectionSet): void => {
    for (const selection of set) {
      if (selection.kind === 'field') {
        fields.set(selection.responseName, [...(fields.get(selection.responseName) ?? []), selection]);
      } else if (isOfType(schema, typeName, selection.typeCondition ?? typeName)) {
        collect(selection.selections);
      }
    }
  };
  sets.forEach(collect);
  return fields;
}

/**
 * A leaf as JSON; undefined where the value is none of the type. GraphQL specification §3.5; a custom scalar is any
 * value.
 */
function leafText(type: GraphQLLeafType, received: unknown): string | undefined {
  const isDouble = isRawNumber(received) && isSpecifiedScalarType(type);
  const value: unknown = isDouble ? Number(JSON.stringify(received)) : received;
  const isOfItsType = (): boolean => {
    if (isEnumType(type)) {
      return typeof value === 'string' && type.getValue(value) !== undefined;
    }
    switch (type.name) {
      case 'Int':
        // `| 0` is what fits into 32 bits.
        return typeof value === 'number' && (value | 0) === value;
      case 'Float':
        return Number.isFinite(value);
      case 'String':
        return typeof value === 'string';
      case 'Boolean':
        return typeof value === 'boolean';
      case 'ID':
        return typeof value === 'string' || Number.isSafeInteger(value);
      default:
        return true;
    }
  };
  if (!isOfItsType()) {
    return undefined;
  }
  try {
    return JSON.stringify(type.name === 'ID' ? String(value) : value);
  } catch {
    // A custom scalar that is nested deeper than the stack goes.
    return undefined;
  }
}
