import { Kind, parse } from 'graphql';
import type { ConstDirectiveNode, ObjectTypeDefinitionNode, TypeNode } from 'graphql';

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
  const { definitions } = parse(supergraphSdl);
  const graphs = definitions.find(
    (definition) => definition.kind === Kind.ENUM_TYPE_DEFINITION && definition.name.value === 'join__Graph',
  );
  const subgraphs = new Map(
    graphs?.kind === Kind.ENUM_TYPE_DEFINITION
      ? graphs.values?.map(({ name, directives = [] }) => [
          name.value,
          argumentOf(
            directives.find((directive) => directive.name.value === 'join__graph'),
            'name',
          ) ?? '',
        ])
      : [],
  );
  const objects = definitions.filter((definition) => definition.kind === Kind.OBJECT_TYPE_DEFINITION);
  const types = new Map(objects.map((type) => [type.name.value, graphTypeOf(type, subgraphs)]));
  const members = new Map(
    definitions
      .filter((definition) => definition.kind === Kind.UNION_TYPE_DEFINITION)
      .map((union) => [union.name.value, (union.types ?? []).map(({ name }) => name.value)]),
  );
  for (const { name, interfaces = [] } of objects) {
    for (const implemented of interfaces) {
      members.set(implemented.name.value, [...(members.get(implemented.name.value) ?? []), name.value]);
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

function graphTypeOf(type: ObjectTypeDefinitionNode, subgraphs: ReadonlyMap<string, string>): GraphType {
  const nameOf = (graph: string | undefined): string => subgraphs.get(graph ?? '') ?? '';
  const joins = (type.directives ?? []).filter(({ name }) => name.value === 'join__type');
  const byGraph = Map.groupBy(joins, (join) => nameOf(argumentOf(join, 'graph')));
  return {
    name: type.name.value,
    description: type.description?.value,
    fields: (type.fields ?? []).map((field) => {
      const joined = (field.directives ?? []).filter(({ name }) => name.value === 'join__field');
      return {
        name: field.name.value,
        type: namedType(field.type),
        // Without a join, all subgraphs that have the type resolve the field.
        resolvedBy:
          joined.length === 0
            ? [...byGraph.keys()]
            : joined
                .filter(isResolved)
                .map((join) => nameOf(argumentOf(join, 'graph')))
                .filter((subgraph) => subgraph !== ''),
      };
    }),
    places: Array.from(byGraph, ([subgraph, ofGraph]) => ({
      subgraph,
      keys: ofGraph.flatMap((join) => argumentOf(join, 'key') ?? []),
      isResolvable: ofGraph.some((join) => argumentOf(join, 'resolvable') !== 'false'),
    })),
  };
}

/** False for a field that a subgraph declares and another one resolves. */
function isResolved(join: ConstDirectiveNode): boolean {
  return argumentOf(join, 'external') !== 'true' && argumentOf(join, 'usedOverridden') !== 'true';
}

function namedType(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedType(type.type);
}

function argumentOf(directive: ConstDirectiveNode | undefined, name: string): string | undefined {
  const value = directive?.arguments?.find((argument) => argument.name.value === name)?.value;
  if (value?.kind === Kind.STRING || value?.kind === Kind.ENUM) {
    return value.value;
  }
  return value?.kind === Kind.BOOLEAN ? String(value.value) : undefined;
}
