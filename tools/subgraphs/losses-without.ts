import type { GraphType, GraphTypes } from '@meridian/composition/graph-types';

/** A type that another subgraph has, whose data goes with a subgraph that leaves. */
export interface Loss {
  readonly type: string;
  /** The fields that only the leaving subgraph resolves. */
  readonly fields: readonly string[];
  /** The subgraph that has the type too. */
  readonly subgraph: string;
  /** True where that one adds fields to the type; false where it only refers to it by its key. */
  readonly isExtended: boolean;
}

/**
 * Finds the types of other subgraphs that would lose their data without this one.
 *
 * Federation has no owner of a type: what adds a field to it declares it as the owner does. So the owner is found by
 * where its objects come from. A subgraph that only adds fields takes those with it, and no loss is meant by that.
 */
export function lossesWithout(leaving: string, graph: GraphTypes): Loss[] {
  return [...graph.types.values()].flatMap((type) => {
    const others = type.places.filter(({ subgraph }) => subgraph !== leaving);
    const [owner, ...otherOwners] = ownersOf(type, graph);
    if (owner !== leaving || otherOwners.length > 0) {
      return [];
    }
    const fields = type.fields
      .filter(({ resolvedBy }) => resolvedBy.every((subgraph) => subgraph === leaving))
      .map(({ name }) => name);
    return others
      .filter(({ keys, isResolvable }) => keys.length > 0 && (fields.length > 0 || !isResolvable))
      .map(({ subgraph, isResolvable }) => ({
        type: type.name,
        fields,
        subgraph,
        isExtended: isResolvable,
      }));
  });
}

/**
 * The subgraphs that have the data of an entity: of those that resolve it, those whose queries give it, else those whose
 * queries lead to it, and of several, those that resolve most of its scalars.
 */
function ownersOf(type: GraphType, graph: GraphTypes): string[] {
  const resolving = type.places
    .filter(({ keys, isResolvable }) => keys.length > 0 && isResolvable)
    .map(({ subgraph }) => subgraph);
  const giving = narrowed(resolving, (subgraph) => givenBy('Query', subgraph, graph).includes(type.name));
  const leading = narrowed(giving, (subgraph) => typesFromQueries(subgraph, graph).has(type.name));
  const scalarsOf = (subgraph: string): number =>
    type.fields.filter(
      (field) => field.resolvedBy.includes(subgraph) && graph.possibleTypes(field.type).length === 0,
    ).length;
  const max = Math.max(...leading.map(scalarsOf));
  return leading.filter((subgraph) => scalarsOf(subgraph) === max);
}

/** Those for which it holds, or all where it holds for none. */
function narrowed(subgraphs: string[], holds: (subgraph: string) => boolean): string[] {
  const found = subgraphs.filter((subgraph) => holds(subgraph));
  return found.length === 0 ? subgraphs : found;
}

/** The object types of the fields of a type that a subgraph resolves. */
function givenBy(typeName: string, subgraph: string, graph: GraphTypes): string[] {
  const fields = graph.types.get(typeName)?.fields ?? [];
  return fields
    .filter(({ resolvedBy }) => resolvedBy.includes(subgraph))
    .flatMap(({ type }) => graph.possibleTypes(type));
}

/**
 * The types that a subgraph's queries lead to inside of types that are not entities, such as the page of a connection. An
 * entity ends the way: what it refers to may be another subgraph's.
 */
function typesFromQueries(subgraph: string, graph: GraphTypes): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (typeName: string): void => {
    for (const name of givenBy(typeName, subgraph, graph)) {
      const isEntity = graph.types.get(name)?.places.some(({ keys }) => keys.length > 0) === true;
      if (!found.has(name)) {
        found.add(name);
        if (!isEntity) {
          visit(name);
        }
      }
    }
  };
  visit('Query');
  return found;
}
