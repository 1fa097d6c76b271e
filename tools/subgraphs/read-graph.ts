import { readFileSync } from 'node:fs';

import { Kind, parse } from 'graphql';
import type { ConstDirectiveNode, ObjectTypeDefinitionNode } from 'graphql';

/** An object type of the supergraph. */
export interface GraphType {
  readonly name: string;
  readonly description: string | undefined;
  readonly fields: readonly string[];
  /** In each subgraph that has the type. */
  readonly places: readonly GraphPlace[];
}

export interface GraphPlace {
  readonly subgraph: string;
  /** Empty for a type that is not an entity there. */
  readonly keys: readonly string[];
  /** False where the subgraph only refers to the type by its key. */
  readonly isResolvable: boolean;
}

/** Reads the object types of a composed supergraph. */
export function readGraph(file: string): ReadonlyMap<string, GraphType> {
  const { definitions } = parse(readFileSync(file, 'utf8'));
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
  const types = definitions.filter((definition) => definition.kind === Kind.OBJECT_TYPE_DEFINITION);
  return new Map(types.map((type) => [type.name.value, graphTypeOf(type, subgraphs)]));
}

function graphTypeOf(type: ObjectTypeDefinitionNode, subgraphs: ReadonlyMap<string, string>): GraphType {
  const joins = (type.directives ?? []).filter(({ name }) => name.value === 'join__type');
  const byGraph = Map.groupBy(joins, (join) => subgraphs.get(argumentOf(join, 'graph') ?? '') ?? '');
  return {
    name: type.name.value,
    description: type.description?.value,
    fields: (type.fields ?? []).map(({ name }) => name.value),
    places: Array.from(byGraph, ([subgraph, ofGraph]) => ({
      subgraph,
      keys: ofGraph.flatMap((join) => argumentOf(join, 'key') ?? []),
      isResolvable: ofGraph.some((join) => argumentOf(join, 'resolvable') !== 'false'),
    })),
  };
}

function argumentOf(directive: ConstDirectiveNode | undefined, name: string): string | undefined {
  const value = directive?.arguments?.find((argument) => argument.name.value === name)?.value;
  if (value?.kind === Kind.STRING || value?.kind === Kind.ENUM) {
    return value.value;
  }
  return value?.kind === Kind.BOOLEAN ? String(value.value) : undefined;
}
