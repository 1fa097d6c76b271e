import type { FieldJoin, Joins, TypeJoin } from '@meridian/composition/sdl/joins';

import { pairByName } from '../pair-by-key.ts';

/** Old name → new name of each subgraph that has another name, and the same types, keys and fields as before. */
export function renamedSubgraphs(before: Joins, after: Joins): ReadonlyMap<string, string> {
  const { added, removed } = pairByName(before.subgraphs, after.subgraphs);
  const renamed = new Map<string, string>();
  if (added.length > 0) {
    const names = Map.groupBy(added, ({ name }) => contributionOf(after, name));
    for (const { name } of removed) {
      const [other] = names.get(contributionOf(before, name))?.splice(0, 1) ?? [];
      if (other !== undefined) {
        renamed.set(name, other.name);
      }
    }
  }
  return renamed;
}

/** The same joins, with the new names. */
export function withNewNames(
  { subgraphs, types, fields }: Joins,
  renamed: ReadonlyMap<string, string>,
): Joins {
  const nameOf = (name: string): string => renamed.get(name) ?? name;
  return {
    subgraphs: subgraphs.map(({ name, url }) => ({ name: nameOf(name), url })),
    types: withSubgraphs(types, nameOf),
    fields: withSubgraphs(fields, nameOf),
  };
}

function withSubgraphs<Join extends TypeJoin | FieldJoin>(
  joins: ReadonlyMap<string, readonly Join[]>,
  nameOf: (name: string) => string,
): ReadonlyMap<string, readonly Join[]> {
  return new Map(
    Array.from(joins, ([coordinate, all]) => [
      coordinate,
      all.map((join) => Object.assign({}, join, { subgraph: nameOf(join.subgraph) })),
    ]),
  );
}

/** Everything that a subgraph adds to the supergraph, as text. */
function contributionOf({ types, fields }: Joins, name: string): string {
  const ofTypes = joinsOf(types, name).map(([coordinate, { keys, isInterfaceObject }]) => [
    coordinate,
    Array.from(keys, ([key, isResolved]) => `${key} ${isResolved}`).toSorted(),
    isInterfaceObject,
  ]);
  const ofFields = joinsOf(fields, name).map(([coordinate, { subgraph: _name, ...join }]) => [
    coordinate,
    join,
  ]);
  return JSON.stringify([ofTypes, ofFields]);
}

function joinsOf<Join extends TypeJoin | FieldJoin>(
  joins: ReadonlyMap<string, readonly Join[]>,
  name: string,
): readonly (readonly [coordinate: string, Join])[] {
  return [...joins]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([coordinate, all]) =>
      all.filter(({ subgraph }) => subgraph === name).map((join) => [coordinate, join] as const),
    );
}
