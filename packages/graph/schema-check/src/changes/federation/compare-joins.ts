import type { FieldJoin, Joins, TypeJoin } from '@meridian/composition/sdl/joins';

import type { Change } from '../change.ts';
import { changeOf, changesOfSet, changesOfTexts, changesOfValue } from '../change.ts';
import type { ChangeKind } from '../kinds.ts';
import { pairByKey, pairByName, pairTexts } from '../pair-by-key.ts';

/** Compares which subgraphs have which types and fields, and how they are looked up there. */
export function compareJoins(joinsBefore: Joins, after: Joins): Change[] {
  const renamed = renamedSubgraphs(joinsBefore, after);
  const before = withNewNames(joinsBefore, renamed);
  const ofJoins = [
    ...both(before.types, after.types).flatMap(([name, one, other]) => compareTypeJoins(name, one, other)),
    ...both(before.fields, after.fields).flatMap(([name, one, other]) => compareFieldJoins(name, one, other)),
  ];
  return [
    ...Array.from(renamed, ([name, newName]) =>
      changeOf('SUBGRAPH_RENAMED', `subgraph ${newName}`, {
        before: name,
        after: newName,
        subgraph: newName,
      }),
    ),
    ...compareSubgraphs(before, after),
    ...ofJoins.filter((change) => !followsFrom(change, before, after)),
  ];
}

/** True for a type or a resolver that comes or goes with its whole subgraph, and for a root type, whose fields say more. */
function followsFrom({ kind, coordinate, subgraph }: Change, before: Joins, after: Joins): boolean {
  const isType = kind === 'TYPE_JOINED' || kind === 'TYPE_LEFT';
  return (
    (isType && rootTypes.has(coordinate)) ||
    ((isType || kind.startsWith('FIELD_RESOLVER_')) &&
      [before, after].some(({ subgraphs }) => subgraphs.every(({ name }) => name !== subgraph)))
  );
}

const rootTypes = new Set(['Query', 'Mutation', 'Subscription']);

/**
 * The entries of both maps. An entry of only one of them is a change of the API schema, or of its `@inaccessible` part.
 */
function both<Value>(
  before: ReadonlyMap<string, Value>,
  after: ReadonlyMap<string, Value>,
): readonly (readonly [string, Value, Value])[] {
  return [...before].flatMap(([name, one]) => {
    const other = after.get(name);
    return other === undefined ? [] : [[name, one, other] as const];
  });
}

function compareSubgraphs(before: Joins, after: Joins): Change[] {
  const subgraphs = pairByName(before.subgraphs, after.subgraphs);
  return [
    ...changesOfSet(['SUBGRAPH_REMOVED', 'SUBGRAPH_ADDED'], subgraphs, ({ name, url }) => ({
      coordinate: `subgraph ${name}`,
      value: url,
      subgraph: name,
    })),
    ...subgraphs.kept.flatMap(([{ name, url }, other]) =>
      changesOfValue('ROUTING_URL_CHANGED', `subgraph ${name}`, url, other.url, { subgraph: name }),
    ),
  ];
}

function compareTypeJoins(type: string, before: readonly TypeJoin[], after: readonly TypeJoin[]): Change[] {
  const joins = pairByKey(before, after, ({ subgraph }) => subgraph);
  return [
    ...changesOfSet(['TYPE_LEFT', 'TYPE_JOINED'], joins, ({ subgraph }) => ({
      coordinate: type,
      value: subgraph,
      subgraph,
    })),
    ...joins.kept.flatMap(([one, other]) =>
      [compareKeys(type, one, other), compareInterfaceObject(type, one, other)].flat(),
    ),
  ];
}

function compareInterfaceObject(type: string, before: TypeJoin, after: TypeJoin): Change[] {
  const kind = after.isInterfaceObject ? 'INTERFACE_OBJECT_ADDED' : 'INTERFACE_OBJECT_REMOVED';
  return before.isInterfaceObject === after.isInterfaceObject
    ? []
    : [changeOf(kind, type, { subgraph: before.subgraph })];
}

function compareKeys(type: string, before: TypeJoin, after: TypeJoin): Change[] {
  const { subgraph } = before;
  return [
    ...changesOfTexts(['KEY_REMOVED', 'KEY_ADDED'], type, before.keys.keys(), after.keys.keys(), {
      subgraph,
    }),
    ...both(before.keys, after.keys).flatMap(([key, was, is]) =>
      changesOfValue('KEY_RESOLVABLE_CHANGED', type, shown(key, was), shown(key, is), {
        level: is ? 'safe' : 'dangerous',
        subgraph,
      }),
    ),
  ];
}

function shown(key: string, isResolvable: boolean): string {
  return `${key}${isResolvable ? '' : ', resolvable: false'}`;
}

function compareFieldJoins(
  field: string,
  before: readonly FieldJoin[],
  after: readonly FieldJoin[],
): Change[] {
  const { added, kept } = pairByKey(before, after, ({ subgraph }) => subgraph);
  return [
    ...compareResolvers(field, resolversOf(before), resolversOf(after)),
    ...kept.flatMap(([one, other]) => compareFieldJoin(field, one, other)),
    ...added.flatMap((join) => compareFieldJoin(field, undefined, join)),
  ];
}

function resolversOf(joins: readonly FieldJoin[]): readonly string[] {
  return joins.filter(({ isResolved }) => isResolved).map(({ subgraph }) => subgraph);
}

function compareResolvers(field: string, before: readonly string[], after: readonly string[]): Change[] {
  const pairs = pairTexts(before, after);
  const { added, removed } = pairs;
  return added.length > 0 && removed.length > 0
    ? [
        changeOf('FIELD_MOVED', field, {
          before: removed.join(', '),
          after: added.join(', '),
          subgraph: added[0],
        }),
      ]
    : changesOfSet(['FIELD_RESOLVER_REMOVED', 'FIELD_RESOLVER_ADDED'], pairs, (subgraph) => ({
        coordinate: field,
        value: subgraph,
        subgraph,
      }));
}

/** @param before absent in a subgraph that did not have the field: an `@external` there has a reader, which says more */
function compareFieldJoin(field: string, before: FieldJoin | undefined, after: FieldJoin): Change[] {
  const { subgraph } = after;
  const changed = (kind: ChangeKind, textOf: (join: FieldJoin) => string | undefined): Change[] =>
    changesOfValue(kind, field, before && textOf(before), textOf(after), { subgraph });
  return [
    ...changed('OVERRIDE_CHANGED', ({ override }) => override),
    ...changed('REQUIRES_CHANGED', ({ requires }) => requires),
    ...changed('PROVIDES_CHANGED', ({ provides }) => provides),
    ...changed('CONTEXT_CHANGED', ({ context }) => context),
    ...(before === undefined
      ? []
      : changed('EXTERNAL_CHANGED', ({ isExternal }) => (isExternal ? '@external' : 'resolved'))),
  ];
}

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
function withNewNames({ subgraphs, types, fields }: Joins, renamed: ReadonlyMap<string, string>): Joins {
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
