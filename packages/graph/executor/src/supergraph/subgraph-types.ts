import type { NamedType, Subgraphs } from '@apollo/federation-internals';
import {
  baseType,
  isAbstractType,
  isInterfaceType,
  isObjectType,
  possibleRuntimeTypes,
} from '@apollo/federation-internals';
import type { GraphQLSchema, SelectionSetNode } from 'graphql';
import { Kind, isInterfaceType as isGraphQLInterface } from 'graphql';

import { parseFieldSet } from './field-set.ts';
import { fieldTypeName, interfacesOf, possibleTypes } from './schema-types.ts';

/** One subgraph's view of the supergraph's types. */
export interface SubgraphTypes {
  /** The object types of the supergraph that a value of a type can have when it comes from a subgraph. */
  possibleIn(subgraph: string, typeName: string): ReadonlySet<string>;
  /**
   * The object types that a value of a field can have in every subgraph that resolves it. By the contract of
   * `@shareable` all of them resolve it to the same value, so a type that one of them does not know cannot occur.
   */
  commonTypes(typeName: string, fieldName: string): ReadonlySet<string>;
  /** True when a type is an object type in a subgraph; in another it may be an interface. */
  isObject(subgraph: string, typeName: string): boolean;
  /** The fields that a field requires in a subgraph. */
  requiresOf(subgraph: string, typeName: string, fieldName: string): SelectionSetNode | undefined;
  /** The fields that a subgraph resolves on objects below a field, and nowhere else. */
  providesOf(subgraph: string, typeName: string, fieldName: string): SelectionSetNode | undefined;
  /**
   * A key of the interface object that some subgraph has where others have values of a field: the fields that it knows of
   * any such object. Undefined for a field of another type.
   */
  interfaceObjectKey(typeName: string, fieldName: string): SelectionSetNode | undefined;
  /** The fields that identify an entity of a type in some subgraph. */
  keyFields(typeName: string): ReadonlySet<string>;
  /** The keys by which a subgraph looks up entities of a type. */
  keysOf(subgraph: string, typeName: string): readonly SelectionSetNode[];
  /** True when a subgraph resolves a field, given a key of its entity and the fields that it requires. */
  resolves(subgraph: string, typeName: string, fieldName: string): boolean;
  /**
   * True when a subgraph only names a field, to require it or to receive it. It resolves it where a field above provides
   * it, or nowhere.
   */
  isExternal(subgraph: string, typeName: string, fieldName: string): boolean;
}

export function subgraphTypes(subgraphs: Subgraphs, schema: GraphQLSchema): SubgraphTypes {
  const subgraphOf = (name: string) => subgraphs.get(name);
  const typeIn = (subgraph: string, typeName: string): NamedType | undefined =>
    subgraphOf(subgraph)?.schema.type(typeName);
  const fieldIn = (subgraph: string, typeName: string, fieldName: string) => {
    const type = typeIn(subgraph, typeName);
    return type !== undefined && (isObjectType(type) || isInterfaceType(type))
      ? type.field(fieldName)
      : undefined;
  };

  /** A field of a type. When the subgraph knows only an interface object of the type, the interface's field. */
  const resolvedIn = (subgraph: string, typeName: string, fieldName: string) =>
    [typeName, ...interfacesOf(schema, typeName)]
      .filter((name) => types.isObject(subgraph, name))
      .flatMap((name) => fieldIn(subgraph, name, fieldName) ?? [])
      // A field that is only provided is resolved, too.
      .filter((field) => subgraphOf(subgraph)?.metadata().isFieldFullyExternal(field) !== true);

  const declaredKeys = (subgraph: string, typeName: string) => {
    const type = typeIn(subgraph, typeName);
    const key = subgraphOf(subgraph)?.metadata().keyDirective();
    if (key === undefined || type === undefined || !(isObjectType(type) || isInterfaceType(type))) {
      return [];
    }
    return type
      .appliedDirectivesOf(key)
      .map((applied) => applied.arguments())
      .flatMap(({ fields, resolvable }) =>
        typeof fields === 'string' ? [{ fields, isResolvable: resolvable !== false }] : [],
      );
  };

  // By the types that the subgraphs give a field: many fields have the same, and so the same set.
  const typeSets = new Map<string, ReadonlySet<string>>();
  const commonTypes = remembered((typeName, fieldName) => {
    const given = subgraphs
      .names()
      .flatMap((subgraph) =>
        resolvedIn(subgraph, typeName, fieldName).flatMap(({ type }) =>
          type === undefined ? [] : [{ subgraph, typeName: baseType(type).name }],
        ),
      );
    const key = given.map((one) => `${one.subgraph} ${one.typeName}`).join();
    const found =
      typeSets.get(key) ?? inAll(given.map((one) => types.possibleIn(one.subgraph, one.typeName)));
    typeSets.set(key, found);
    return found;
  });

  const keyFields = remembered((typeName) => {
    const names = [typeName, ...interfacesOf(schema, typeName)];
    const keys = subgraphs
      .names()
      .flatMap((subgraph) => names.flatMap((name) => declaredKeys(subgraph, name)));
    const texts = new Set(keys.map(({ fields }) => fields));
    return new Set(
      Array.from(texts, parseFieldSet).flatMap(({ selections }) =>
        selections.flatMap((selection) => (selection.kind === Kind.FIELD ? [selection.name.value] : [])),
      ),
    );
  });

  const types: SubgraphTypes = {
    possibleIn(subgraph, typeName) {
      const type = typeIn(subgraph, typeName);
      if (type === undefined || !isAbstractType(type)) {
        // Where it is an interface of the supergraph, it is an interface object here: any of the interface's types.
        return possibleTypes(schema, typeName);
      }
      return new Set(
        possibleRuntimeTypes(type).flatMap(({ name }) => Array.from(possibleTypes(schema, name))),
      );
    },
    commonTypes,
    isObject(subgraph, typeName) {
      const type = typeIn(subgraph, typeName);
      return type !== undefined && isObjectType(type);
    },
    requiresOf(subgraph, typeName, fieldName) {
      // A directive's name depends on what the subgraph imports.
      const requires = subgraphOf(subgraph)?.metadata().requiresDirective();
      const applied = requires && fieldIn(subgraph, typeName, fieldName)?.appliedDirectivesOf(requires)[0];
      return fieldSetOf(applied?.arguments().fields);
    },
    providesOf(subgraph, typeName, fieldName) {
      const provides = subgraphOf(subgraph)?.metadata().providesDirective();
      const applied = provides && fieldIn(subgraph, typeName, fieldName)?.appliedDirectivesOf(provides)[0];
      return fieldSetOf(applied?.arguments().fields);
    },
    interfaceObjectKey(typeName, fieldName) {
      const valueType = fieldTypeName(schema, typeName, fieldName) ?? '';
      if (!isGraphQLInterface(schema.getType(valueType))) {
        return undefined;
      }
      const subgraph = subgraphs
        .names()
        .find((name) => types.isObject(name, valueType) && resolvedIn(name, typeName, fieldName).length > 0);
      const key = subgraph === undefined ? undefined : declaredKeys(subgraph, valueType)[0];
      return key && parseFieldSet(key.fields);
    },
    keyFields,
    keysOf: (subgraph, typeName) =>
      declaredKeys(subgraph, typeName).flatMap(({ fields, isResolvable }) =>
        isResolvable ? [parseFieldSet(fields)] : [],
      ),
    resolves(subgraph, typeName, fieldName) {
      return (
        fieldIn(subgraph, typeName, fieldName) !== undefined &&
        !types.isExternal(subgraph, typeName, fieldName)
      );
    },
    isExternal(subgraph, typeName, fieldName) {
      const field = fieldIn(subgraph, typeName, fieldName);
      return field !== undefined && subgraphOf(subgraph)?.metadata().isFieldExternal(field) === true;
    },
  };
  return types;
}

/** The function, which computes the result for a type, or for one of its fields, once. */
function remembered(
  read: (typeName: string, fieldName: string) => ReadonlySet<string>,
): (typeName: string, fieldName?: string) => ReadonlySet<string> {
  const known = new Map<string, ReadonlySet<string>>();
  return (typeName, fieldName = '') => {
    const coordinate = `${typeName}.${fieldName}`;
    const found = known.get(coordinate) ?? read(typeName, fieldName);
    known.set(coordinate, found);
    return found;
  };
}

function fieldSetOf(fields: unknown): SelectionSetNode | undefined {
  return typeof fields === 'string' ? parseFieldSet(fields) : undefined;
}

function inAll([first, ...others]: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  return new Set([...(first ?? [])].filter((name) => others.every((other) => other.has(name))));
}
