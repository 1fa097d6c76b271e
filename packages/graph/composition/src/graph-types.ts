import { Kind, parse } from 'graphql';
import type { ObjectTypeDefinitionNode } from 'graphql';

import { namedTypeOf } from './sdl/elements.ts';
import type { Joins } from './sdl/joins.ts';
import { readJoins } from './sdl/joins.ts';

/** The object types of a composed supergraph, with the subgraphs that have and resolve them. */
export interface GraphTypes {
  /** By name. */
  readonly types: ReadonlyMap<string, GraphType>;
  /** The object types that a value of this type may have: itself, the members of a union, what implements an interface. */
  possibleTypes(name: string): readonly string[];
}

export interface GraphType {
  readonly name: string;
  readonly description: string | undefined;
  readonly fields: readonly GraphField[];
  /** In each subgraph that has the type. */
  readonly places: readonly GraphPlace[];
}

export interface GraphField {
  readonly name: string;
  /** The name of its type, without lists and non-null. */
  readonly type: string;
  /** The subgraphs that resolve it. */
  readonly resolvedBy: readonly string[];
}

export interface GraphPlace {
  readonly subgraph: string;
  /** Empty for a type that is not an entity there. */
  readonly keys: readonly string[];
  /** False where the subgraph only refers to the type by its key. */
  readonly isResolvable: boolean;
}

/** Reads a supergraph that composition has written. */
export function readGraphTypes(supergraphSdl: string): GraphTypes {
  const document = parse(supergraphSdl);
  const joins = readJoins(document);
  const types = new Map<string, GraphType>();
  const members = new Map<string, string[]>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OBJECT_TYPE_DEFINITION) {
      const type = graphTypeOf(definition, joins);
      types.set(type.name, type);
      for (const { name } of definition.interfaces ?? []) {
        members.set(name.value, [...(members.get(name.value) ?? []), type.name]);
      }
    } else if (definition.kind === Kind.UNION_TYPE_DEFINITION) {
      members.set(
        definition.name.value,
        (definition.types ?? []).map(({ name }) => name.value),
      );
    }
  }
  return { types, possibleTypes: (name) => (types.has(name) ? [name] : (members.get(name) ?? [])) };
}

/**
 * The fields by which requests come to what only this subgraph resolves: its root fields, and its fields of types that
 * other subgraphs have too.
 */
export function entryFieldsOf({ types }: GraphTypes, subgraph: string): string[] {
  return [...types.values()]
    .filter(({ name, places }) => rootTypes.has(name) || places.some((place) => place.subgraph !== subgraph))
    .flatMap(({ name, fields }) =>
      fields
        .filter(({ resolvedBy }) => resolvedBy.every((resolving) => resolving === subgraph))
        .map((field) => `${name}.${field.name}`),
    );
}

const rootTypes: ReadonlySet<string> = new Set(['Query', 'Mutation']);

function graphTypeOf(
  { name: { value: name }, description, fields = [] }: ObjectTypeDefinitionNode,
  joins: Joins,
): GraphType {
  return {
    name,
    description: description?.value,
    fields: fields.map((field) => ({
      name: field.name.value,
      type: namedTypeOf(field.type),
      resolvedBy: (joins.fields.get(`${name}.${field.name.value}`) ?? [])
        .filter(({ isResolved }) => isResolved)
        .map(({ subgraph }) => subgraph),
    })),
    places: (joins.types.get(name) ?? []).map(({ subgraph, keys }) => ({
      subgraph,
      keys: [...keys.keys()],
      isResolvable: keys.size === 0 || keys.values().some(Boolean),
    })),
  };
}
