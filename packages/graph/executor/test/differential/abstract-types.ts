// Unions and interfaces whose members differ among the subgraphs of a generated federation.
import type { Random } from '@meridian/testing';
import type { Draft } from './schema-draft.ts';
import { addField, declareType, draftOf, implement } from './schema-draft.ts';

type Drafts = ReadonlyMap<string, Draft>;

/** An entity, with the subgraphs that it is in. */
interface Entity {
  readonly name: string;
  readonly keyIn: ReadonlyMap<string, unknown>;
}

/** By type and subgraph: the object types that a value can have there. An interface may have none. */
export type AbstractTypes = ReadonlyMap<string, Members>;

/** By subgraph. */
type Members = ReadonlyMap<string, readonly string[]>;

/** Adds a union and an interface to some subgraphs each, and the interface of an interface object to a further one. */
export function addAbstractTypes(entities: readonly Entity[], drafts: Drafts, random: Random): AbstractTypes {
  return new Map([
    ['Thing', addUnion(entities, drafts, random)],
    ['Labeled', addInterface(entities, drafts, random)],
    ['Media', addMedia(drafts, random)],
  ]);
}

function addUnion(entities: readonly Entity[], drafts: Drafts, random: Random): Members {
  const homes = random.some([...drafts.values()], 0.6);
  return new Map(
    homes.map((draft) => {
      const members = chooseMembers(draft, entities, random);
      draft.extra.push(`union Thing = ${members.join(' | ')}`);
      return [draft.name, members];
    }),
  );
}

function addInterface(entities: readonly Entity[], drafts: Drafts, random: Random): Members {
  const homes = random.some([...drafts.values()], 0.6);
  // Known to one subgraph only: what resolves a value elsewhere cannot resolve it.
  const toneHome = random.chance(0.7) ? random.pick(homes) : undefined;
  const membersOf = new Map(
    homes.map((draft) => {
      const members = random.chance(0.25) ? [] : chooseMembers(draft, entities, random);
      const tone = draft === toneHome ? ' tone: Int' : '';
      draft.extra.push(`interface Labeled { label(upper: Boolean = false): String${tone} }`);
      for (const member of members) {
        implement(draft, member, 'Labeled');
        addField(draft, member, 'label(upper: Boolean = false): String @shareable');
        if (draft === toneHome) {
          addField(draft, member, 'tone: Int @shareable');
        }
      }
      return [draft.name, members];
    }),
  );
  const implementers = new Set([...membersOf.values()].flat());
  for (const { name, keyIn } of entities) {
    if (toneHome !== undefined && implementers.has(name)) {
      addField(draftOf(drafts, random.pick([...keyIn.keys()])), name, 'tone: Int @shareable');
    }
  }
  return membersOf;
}

/** Entities of a subgraph, and a type that is none: it is the same wherever it is known. */
function chooseMembers(draft: Draft, entities: readonly Entity[], random: Random): readonly string[] {
  const own = entities.filter(({ keyIn }) => keyIn.has(draft.name)).map(({ name }) => name);
  const members = random.some([...own, 'Tag'], 0.6);
  if (members.includes('Tag')) {
    declareType(draft, 'Tag', '@shareable', [
      'word(by: Int = 1): String',
      'label(upper: Boolean = false): String',
      'tone: Int',
    ]);
  }
  return members;
}

/** A subgraph that defines neither the interface's types nor its interface object may know one of the types. */
function addMedia(drafts: Drafts, random: Random): Members {
  const all = ['Book', 'Film'];
  const isUntyped = ![...drafts.values()].some(({ types }) => types.has('Book'));
  if (isUntyped) {
    return untypedMedia(drafts);
  }
  const knowing = [...drafts.values()].filter(({ types }) => types.has('Media') || types.has('Book'));
  const third = [...drafts.values()].find((draft) => !knowing.includes(draft));
  const members = knowing.map(({ name }): [string, readonly string[]] => [name, all]);
  if (knowing.length === 0 || third === undefined || !random.chance(0.6)) {
    return new Map(members);
  }
  third.extra.push('interface Media { id: ID! }');
  declareType(third, 'Book', 'implements Media @key(fields: "id")', ['id: ID!']);
  return new Map([...members, [third.name, ['Book']]]);
}

/** While no type implements the interface, the subgraph of its interface object alone has objects of it. */
function untypedMedia(drafts: Drafts): Members {
  const knowing = [...drafts.values()].filter(
    ({ types, extra }) => types.has('Media') || extra.some((text) => text.startsWith('interface Media ')),
  );
  return new Map(knowing.map(({ name, types }) => [name, types.has('Media') ? ['Media'] : []]));
}

/** The abstract types that a subgraph knows. */
export function abstractTypesIn(
  subgraph: string,
  types: AbstractTypes,
): readonly { readonly name: string; readonly members: readonly string[] }[] {
  return [...types].flatMap(([name, membersOf]) => {
    const members = membersOf.get(subgraph);
    return members === undefined ? [] : [{ name, members }];
  });
}

/**
 * Adds fields of abstract types that several subgraphs resolve: of a root, of entities and of the type that is none.
 * Such a field holds what all of them know; composition refuses one of which they have nothing in common.
 */
export function addSharedFields(
  types: AbstractTypes,
  entities: readonly Entity[],
  {
    drafts,
    heldTypes,
    random,
  }: { drafts: Drafts; heldTypes: Map<string, readonly string[]>; random: Random },
): void {
  for (const [name, membersOf] of types) {
    const share = (parent: string, subgraphs: readonly string[]): void => {
      const members = inAll(subgraphs.map((subgraph) => membersOf.get(subgraph) ?? []));
      if (subgraphs.length < 2 || members.length === 0 || !isComposable(subgraphs, membersOf, drafts)) {
        return;
      }
      const field = `shared_${name.toLowerCase()}`;
      const type = random.pick(['T', 'T', 'T!', '[T!]!', '[T]']).replace('T', name);
      heldTypes.set(`${parent}.${field}`, members);
      for (const subgraph of subgraphs) {
        addField(draftOf(drafts, subgraph), parent, `${field}(by: Int = 2): ${type} @shareable`);
      }
    };
    share('Query', random.some([...membersOf.keys()], 0.8));
    for (const { name: parent, keyIn } of entities) {
      share(
        parent,
        random.some(
          [...membersOf.keys()].filter((subgraph) => keyIn.has(subgraph)),
          0.8,
        ),
      );
    }
    const withTag = [...drafts.values()].filter((draft) => draft.types.has('Tag')).map((draft) => draft.name);
    if (withTag.every((subgraph) => membersOf.has(subgraph))) {
      share('Tag', withTag);
    }
  }
}

/** Composition fails on a shared interface object where other subgraphs do not all know the same types. */
function isComposable(subgraphs: readonly string[], membersOf: Members, drafts: Drafts): boolean {
  const counts = new Set(subgraphs.map((subgraph) => membersOf.get(subgraph)?.length));
  return counts.size < 2 || !subgraphs.some((name) => draftOf(drafts, name).types.has('Media'));
}

function inAll(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = lists;
  return first.filter((item) => others.every((list) => list.includes(item)));
}
