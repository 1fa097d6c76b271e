import type { Change } from '../change.ts';
import { changeOf } from '../change.ts';
import type { ChangeKind } from '../kinds.ts';
import { pairTexts, pairByKey } from '../pair-by-key.ts';
import type { FieldJoin, Joins, TypeJoin } from './joins.ts';
import { renamedSubgraphs, withNewNames } from './renamed-subgraphs.ts';

/** Compares which subgraphs have which types and fields, and how they are looked up there. */
export function compareJoins(joinsBefore: Joins, after: Joins): Change[] {
  const renamed = renamedSubgraphs(joinsBefore, after);
  const before = withNewNames(joinsBefore, renamed);
  return [
    ...Array.from(renamed, ([name, newName]) =>
      changeOf('SUBGRAPH_RENAMED', `subgraph ${newName}`, {
        before: name,
        after: newName,
        subgraph: newName,
      }),
    ),
    ...compareSubgraphs(before, after),
    ...both(before.types, after.types).flatMap(([name, one, other]) => compareTypeJoins(name, one, other)),
    ...both(before.fields, after.fields).flatMap(([name, one, other]) => compareFieldJoins(name, one, other)),
  ];
}

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
  const { added, removed, kept } = pairByKey(before.subgraphs, after.subgraphs, ({ name }) => name);
  return [
    ...removed.map(({ name, url }) =>
      changeOf('SUBGRAPH_REMOVED', `subgraph ${name}`, { before: url, subgraph: name }),
    ),
    ...added.map(({ name, url }) =>
      changeOf('SUBGRAPH_ADDED', `subgraph ${name}`, { after: url, subgraph: name }),
    ),
    ...kept.flatMap(([one, other]) =>
      textChange('ROUTING_URL_CHANGED', `subgraph ${one.name}`, one.name, one.url, other.url),
    ),
  ];
}

function compareTypeJoins(type: string, before: readonly TypeJoin[], after: readonly TypeJoin[]): Change[] {
  const { added, removed, kept } = pairByKey(before, after, ({ subgraph }) => subgraph);
  return [
    ...removed.map(({ subgraph }) => changeOf('TYPE_LEFT', type, { before: subgraph, subgraph })),
    ...added.map(({ subgraph }) => changeOf('TYPE_JOINED', type, { after: subgraph, subgraph })),
    ...kept.flatMap(([one, other]) =>
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
  const { added, removed, kept } = pairTexts(before.keys.keys(), after.keys.keys());
  return [
    ...removed.map((key) => changeOf('KEY_REMOVED', type, { before: key, subgraph })),
    ...added.map((key) => changeOf('KEY_ADDED', type, { after: key, subgraph })),
    ...kept.flatMap(([key]) => {
      const [was, is] = [before.keys.get(key) ?? true, after.keys.get(key) ?? true];
      const shown = (isResolvable: boolean): string => `${key}${isResolvable ? '' : ', resolvable: false'}`;
      return was === is
        ? []
        : [
            changeOf('KEY_RESOLVABLE_CHANGED', type, {
              before: shown(was),
              after: shown(is),
              level: is ? 'safe' : 'dangerous',
              subgraph,
            }),
          ];
    }),
  ];
}

function compareFieldJoins(
  field: string,
  before: readonly FieldJoin[],
  after: readonly FieldJoin[],
): Change[] {
  const resolvers = pairTexts(resolversOf(before), resolversOf(after));
  const kept = pairByKey(before, after, ({ subgraph }) => subgraph);
  const [lost, gained] = [resolvers.removed[0], resolvers.added[0]];
  const isMoved = lost !== undefined && gained !== undefined;
  return [
    ...(isMoved
      ? [
          changeOf('FIELD_MOVED', field, {
            before: resolvers.removed.join(', '),
            after: resolvers.added.join(', '),
            subgraph: gained,
          }),
        ]
      : [
          ...resolvers.removed.map((subgraph) =>
            changeOf('FIELD_RESOLVER_REMOVED', field, { before: subgraph, subgraph }),
          ),
          ...resolvers.added.map((subgraph) =>
            changeOf('FIELD_RESOLVER_ADDED', field, { after: subgraph, subgraph }),
          ),
        ]),
    ...kept.kept.flatMap(([one, other]) => compareFieldJoin(field, one, other)),
    ...kept.added.flatMap((join) => compareFieldJoin(field, undefined, join)),
    ...kept.removed.flatMap((join) => compareFieldJoin(field, join, undefined)),
  ];
}

function resolversOf(joins: readonly FieldJoin[]): readonly string[] {
  return joins.filter(({ isResolved }) => isResolved).map(({ subgraph }) => subgraph);
}

function compareFieldJoin(
  field: string,
  before: FieldJoin | undefined,
  after: FieldJoin | undefined,
): Change[] {
  const subgraph = before?.subgraph ?? after?.subgraph ?? '';
  const changed = (kind: ChangeKind, textOf: (join: FieldJoin) => string | undefined): Change[] =>
    textChange(kind, field, subgraph, before && textOf(before), after && textOf(after));
  return [
    ...changed('OVERRIDE_CHANGED', ({ override }) => override),
    ...changed('REQUIRES_CHANGED', ({ requires }) => requires),
    ...changed('PROVIDES_CHANGED', ({ provides }) => provides),
    ...changed('CONTEXT_CHANGED', ({ context }) => context),
    ...changed('EXTERNAL_CHANGED', ({ isExternal }) => (isExternal ? '@external' : undefined)),
  ];
}

function textChange(
  kind: ChangeKind,
  coordinate: string,
  subgraph: string,
  before: string | undefined,
  after: string | undefined,
): Change[] {
  return before === after ? [] : [changeOf(kind, coordinate, { before, after, subgraph })];
}
