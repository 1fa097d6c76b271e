import type { NamedType, Supergraph } from '@apollo/federation-internals';
import {
  isAbstractType,
  isInterfaceType,
  isObjectType,
  possibleRuntimeTypes,
} from '@apollo/federation-internals';
import type { GraphQLSchema, SelectionSetNode } from 'graphql';

import { parseFieldSet } from './field-set.ts';
import { possibleTypes } from './possible-types.ts';

/** What one subgraph makes of the supergraph's types. */
export interface SubgraphTypes {
  /** The object types of the supergraph that a value of a type can have when it comes from a subgraph. */
  possibleIn(subgraph: string, typeName: string): ReadonlySet<string>;
  /** Whether a type is an object type to a subgraph; to another it may be an interface. */
  isObject(subgraph: string, typeName: string): boolean;
  /** The fields that a field requires in a subgraph. */
  requiresOf(subgraph: string, typeName: string, fieldName: string): SelectionSetNode | undefined;
  /** The keys by which a subgraph looks up entities of a type. */
  keysOf(subgraph: string, typeName: string): readonly SelectionSetNode[];
  /** Whether a subgraph resolves a field by itself, with no more than a key of its entity. */
  resolves(subgraph: string, typeName: string, fieldName: string): boolean;
  /** Whether a subgraph only names a field, to require it or to be given it, and never resolves it. */
  isExternal(subgraph: string, typeName: string, fieldName: string): boolean;
}

export function subgraphTypes(supergraph: Supergraph, schema: GraphQLSchema): SubgraphTypes {
  const subgraphOf = (name: string) => supergraph.subgraphs().get(name);
  const typeIn = (subgraph: string, typeName: string): NamedType | undefined =>
    subgraphOf(subgraph)?.schema.type(typeName);
  const fieldIn = (subgraph: string, typeName: string, fieldName: string) => {
    const type = typeIn(subgraph, typeName);
    return type !== undefined && (isObjectType(type) || isInterfaceType(type))
      ? type.field(fieldName)
      : undefined;
  };

  return {
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
    isObject(subgraph, typeName) {
      const type = typeIn(subgraph, typeName);
      return type !== undefined && isObjectType(type);
    },
    requiresOf(subgraph, typeName, fieldName) {
      // A directive's name depends on what the subgraph imports.
      const requires = subgraphOf(subgraph)?.metadata().requiresDirective();
      const applied = requires && fieldIn(subgraph, typeName, fieldName)?.appliedDirectivesOf(requires)[0];
      const fields: unknown = applied?.arguments().fields;
      return typeof fields === 'string' ? parseFieldSet(fields) : undefined;
    },
    keysOf(subgraph, typeName) {
      const type = typeIn(subgraph, typeName);
      const key = subgraphOf(subgraph)?.metadata().keyDirective();
      if (key === undefined || type === undefined || !(isObjectType(type) || isInterfaceType(type))) {
        return [];
      }
      return type
        .appliedDirectivesOf(key)
        .map((applied) => applied.arguments())
        .flatMap(({ fields, resolvable }) =>
          typeof fields === 'string' && resolvable !== false ? [parseFieldSet(fields)] : [],
        );
    },
    resolves(subgraph, typeName, fieldName) {
      return (
        fieldIn(subgraph, typeName, fieldName) !== undefined &&
        !this.isExternal(subgraph, typeName, fieldName) &&
        this.requiresOf(subgraph, typeName, fieldName) === undefined
      );
    },
    isExternal(subgraph, typeName, fieldName) {
      const field = fieldIn(subgraph, typeName, fieldName);
      return field !== undefined && subgraphOf(subgraph)?.metadata().isFieldFullyExternal(field) === true;
    },
  };
}
