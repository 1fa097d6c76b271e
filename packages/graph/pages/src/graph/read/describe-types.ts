import type { FieldFigures, FieldJoin, Graph, TypeJoin } from '@meridian/schema-check';
import { changeOf, createLocator, kindOfType, readJoins } from '@meridian/schema-check';
import type { GraphQLArgument, GraphQLInputField, GraphQLNamedType, GraphQLSchema } from 'graphql';
import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  isUnionType,
  print,
} from 'graphql';

import type { ArgumentData, MemberData, PlaceData, TypeData } from '../graph-data.ts';

export interface TypeSources {
  /** The places of the operations that use an element, by its coordinate. */
  readonly usersOf: (coordinate: string) => readonly number[];
  readonly figuresOf: (typeName: string, fieldName: string) => FieldFigures;
}

/** Describes the types that clients see: root types first, then by their names. */
export function describeTypes(graph: Graph, sources: TypeSources): readonly TypeData[] {
  const { apiSchema, document, subgraphs } = graph.supergraph;
  const joins = readJoins(document);
  const locate = createLocator(graph, graph);
  const subgraphIndex = new Map(subgraphs.map(({ name }, index) => [name, index]));
  const placesOf = (coordinate: string): readonly PlaceData[] =>
    locate(changeOf('TYPE_REMOVED', coordinate))
      .map(({ subgraph, line }) => ({ subgraph: subgraphIndex.get(subgraph) ?? -1, line }))
      .filter(({ subgraph }) => subgraph !== -1);

  const memberOf = (typeName: string, member: MemberParts): MemberData => {
    const coordinate = `${typeName}.${member.name}`;
    return {
      ...member,
      places: placesOf(coordinate),
      notes: unlessEmpty((joins.fields.get(coordinate) ?? []).flatMap(notesOf)),
      operations: unlessEmpty(sources.usersOf(coordinate)),
    };
  };

  const roots = new Set<GraphQLNamedType | null | undefined>([
    apiSchema.getQueryType(),
    apiSchema.getMutationType(),
    apiSchema.getSubscriptionType(),
  ]);
  return Object.values(apiSchema.getTypeMap())
    .filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type))
    .toSorted(
      (one, other) =>
        Number(roots.has(other)) - Number(roots.has(one)) || one.name.localeCompare(other.name, 'en'),
    )
    .map((type) => ({
      name: type.name,
      kind: kindOfType(type),
      description: type.description ?? undefined,
      places: placesOf(type.name),
      keys: describeKeys(joins.types.get(type.name) ?? []),
      related: relatedTo(type, apiSchema),
      members: membersOf(type, sources.figuresOf).map((member) => memberOf(type.name, member)),
    }));
}

type MemberParts = Omit<MemberData, 'places' | 'notes' | 'operations'>;

function unlessEmpty<Item>(list: readonly Item[]): readonly Item[] | undefined {
  return list.length === 0 ? undefined : list;
}

function membersOf(type: GraphQLNamedType, figuresOf: TypeSources['figuresOf']): readonly MemberParts[] {
  if (isObjectType(type) || isInterfaceType(type)) {
    return Object.values(type.getFields()).map((field) => {
      const { cost, requires, cache } = figuresOf(type.name, field.name);
      return {
        name: field.name,
        type: String(field.type),
        description: field.description ?? undefined,
        deprecated: field.deprecationReason ?? undefined,
        args: unlessEmpty(field.args.map(describeArgument)),
        cost: cost === 0 ? undefined : cost,
        requires,
        cache,
      };
    });
  }
  if (isInputObjectType(type)) {
    return Object.values(type.getFields()).map(describeArgument);
  }
  return isEnumType(type)
    ? type.getValues().map(({ name, description, deprecationReason }) => ({
        name,
        description: description ?? undefined,
        deprecated: deprecationReason ?? undefined,
      }))
    : [];
}

function describeArgument({
  name,
  type,
  astNode,
  description,
  deprecationReason,
}: GraphQLArgument | GraphQLInputField): ArgumentData {
  return {
    name,
    type: String(type),
    fallback: astNode?.defaultValue && print(astNode.defaultValue),
    description: description ?? undefined,
    deprecated: deprecationReason ?? undefined,
  };
}

function relatedTo(type: GraphQLNamedType, schema: GraphQLSchema): readonly string[] {
  if (isObjectType(type)) {
    return type.getInterfaces().map(({ name }) => name);
  }
  return isInterfaceType(type) || isUnionType(type)
    ? schema.getPossibleTypes(type).map(({ name }) => name)
    : [];
}

/** Each key with its subgraphs: `id in orders, products`. */
function describeKeys(joins: readonly TypeJoin[]): readonly string[] {
  const keys = joins.flatMap(({ subgraph, keys: ofSubgraph }) =>
    Array.from(ofSubgraph, ([fields, isResolvable]) => ({
      fields,
      place: isResolvable ? subgraph : `${subgraph} (not resolvable)`,
    })),
  );
  return [
    ...Array.from(
      Map.groupBy(keys, ({ fields }) => fields),
      ([fields, places]) => `${fields} in ${places.map(({ place }) => place).join(', ')}`,
    ),
    ...joins.flatMap(({ isInterfaceObject, subgraph }) =>
      isInterfaceObject ? [`an interface object in ${subgraph}`] : [],
    ),
  ];
}

function notesOf({
  subgraph,
  isExternal,
  isResolved,
  requires,
  provides,
  override,
}: FieldJoin): readonly string[] {
  return [
    ...(isExternal ? [`external in ${subgraph}`] : []),
    ...(!isResolved && !isExternal ? [`overridden in ${subgraph}`] : []),
    ...(requires === undefined ? [] : [`requires ${requires} in ${subgraph}`]),
    ...(provides === undefined ? [] : [`provides ${provides} in ${subgraph}`]),
    ...(override === undefined ? [] : [`overrides ${override} in ${subgraph}`]),
  ];
}
