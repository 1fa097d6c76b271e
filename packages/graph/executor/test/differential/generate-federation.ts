// Subgraphs that compose, made from a seed. They have what is hard to run: several keys, compound and nested ones, keys
// of `__typename` alone, keys that cannot be looked up by, `@requires` with arguments and in chains, `@provides`, unions, interfaces, an interface
// object, fields that have moved to another subgraph or move with a label, an argument from a context, and a type whose
// fields are spread over subgraphs, at one path and with different arguments.
import type { SubgraphSchema } from '@meridian/composition';

import type { AbstractTypes } from './abstract-types.ts';
import { abstractTypesIn, addAbstractTypes, addSharedFields } from './abstract-types.ts';
import type { Context, InputField, Schema } from './data-model.ts';
import { addDistantKeys } from './distant-keys.ts';
import type { KeyStyle } from './key-styles.ts';
import { declareKeys, identifyingStyles } from './key-styles.ts';
import type { Random } from '@meridian/testing';
import { createRandom } from '@meridian/testing';
import type { Draft } from './schema-draft.ts';
import { addField, declareType, draftOf, printDraft } from './schema-draft.ts';

/** A federation, before it is composed. */
export interface GeneratedFederation {
  readonly subgraphs: readonly SubgraphSchema[];
  readonly shape: Schema;
  /** The labels of the fields that move, by `Type.field`; undefined for those that have moved. */
  readonly overrides: ReadonlyMap<string, string | undefined>;
}

interface Entity {
  readonly name: string;
  readonly keys: readonly KeyStyle[];
  /** The key of each subgraph that the entity is in. The first has them all. */
  readonly keyIn: ReadonlyMap<string, readonly KeyStyle[]>;
  /** Fields that others may require. */
  readonly fields: EntityField[];
}

interface EntityField extends InputField {
  readonly name: string;
  readonly arguments: string;
  readonly subgraph: string;
}

const fieldNames = ['name', 'price', 'size', 'weight', 'stock', 'rating'] as const;
const leafTypes = [
  'Int',
  'Int!',
  'Float',
  'String',
  'String!',
  'Boolean',
  'ID',
  'Unit',
  'JSON',
  '[Int!]',
  '[String]!',
  '[JSON]',
] as const;
/** The fields that may be required: the data model can compute them without a schema. */
const inputTypes: ReadonlySet<string> = new Set([
  'Int',
  'Int!',
  'Float',
  'String',
  'String!',
  'Boolean',
  'ID',
  'JSON',
]);
const argumentLists: readonly { readonly text: string; readonly defaults: InputField['defaults'] }[] = [
  { text: '(unit: Unit! = CM)', defaults: { unit: 'CM' } },
  { text: '(unit: Unit, scale: Int = 3)', defaults: { scale: 3 } },
  { text: '(by: Int = 2)', defaults: { by: 2 } },
  { text: '(near: JSON)', defaults: {} },
];

export function generateFederation(seed: string): GeneratedFederation {
  const random = createRandom(seed);
  const names = Array.from({ length: 2 + random.below(3) }, (_, index) => `s${index}`);
  const drafts = new Map(names.map((name): [string, Draft] => [name, { name, types: new Map(), extra: [] }]));
  const requires = new Map<string, string>();
  const inputs = new Map<string, InputField>();
  const heldTypes = new Map<string, readonly string[]>();

  const entities = ['Product', 'Order', 'User', 'Store']
    .slice(0, 2 + random.below(3))
    .map((name) => generateEntity(name, names, { random, styles: identifyingStyles }));
  if (random.chance(0.5)) {
    entities.push(generateEntity(singleton, names, { random, styles: ['typename', 'id'] }));
  }
  for (const entity of entities) {
    declareEntity(entity, drafts);
    addLeafFields(entity, drafts, random);
  }
  for (const entity of entities) {
    addRequires(entity, drafts, random, requires, inputs);
  }
  const spread = entities[0];
  if (spread !== undefined && random.chance(0.7)) {
    addSpreadType(spread, drafts, random);
  }
  const hasMedia = random.chance(0.6);
  const isUntyped = hasMedia && random.chance(0.3);
  if (isUntyped) {
    addUntypedInterfaceObject(drafts, random);
  } else if (hasMedia) {
    addInterfaceObject(drafts, random, requires, inputs);
  }
  const overrides = addOverrides(entities, drafts, random, inputs);
  const contexts = random.chance(0.7)
    ? addContext(entities, drafts, random, inputs, overrides)
    : new Map<string, Context>();
  const abstractTypes = addAbstractTypes(entities, drafts, random);
  addSharedFields(abstractTypes, entities, { drafts, heldTypes, random });
  if (random.chance(0.6)) {
    addDistantKeys(drafts, { heldTypes, requires, inputs, random });
  }
  const world: World = { drafts, entities, abstractTypes, overrides, heldTypes };
  for (const draft of drafts.values()) {
    addLinks(draft, world, random);
    addRoots(draft, world, random);
  }
  return {
    subgraphs: [...drafts.values()].map(printDraft),
    shape: {
      heldTypes,
      entityInterface: hasMedia ? 'Media' : undefined,
      isUntyped,
      singletons: new Set([singleton]),
      requires,
      inputs,
      contexts,
    },
    overrides,
  };
}

/** The type of which there is one entity. */
const singleton = 'Shop';

function generateEntity(
  name: string,
  subgraphs: readonly string[],
  { random, styles }: { readonly random: Random; readonly styles: readonly KeyStyle[] },
): Entity {
  const first = name === singleton ? 'typename' : random.pick(styles);
  const keys = random.chance(0.6) ? [...new Set([first, random.pick(styles)])] : [first];
  const home = random.pick(subgraphs);
  const others = random.some(
    subgraphs.filter((subgraph) => subgraph !== home),
    0.7,
  );
  return {
    name,
    keys,
    keyIn: new Map([
      [home, keys] as const,
      ...others.map((subgraph): [string, readonly KeyStyle[]] => [subgraph, [random.pick(keys)]]),
    ]),
    fields: [],
  };
}

function declareEntity({ name, keyIn }: Entity, drafts: ReadonlyMap<string, Draft>): void {
  for (const [subgraph, keys] of keyIn) {
    declareKeys(draftOf(drafts, subgraph), name, { keys });
  }
}

function addLeafFields(entity: Entity, drafts: ReadonlyMap<string, Draft>, random: Random): void {
  for (const name of random.some(fieldNames, 0.7)) {
    const subgraph = random.pick([...entity.keyIn.keys()]);
    const type = random.pick(leafTypes);
    const { text, defaults } = random.chance(0.5) ? random.pick(argumentLists) : { text: '', defaults: {} };
    addField(draftOf(drafts, subgraph), entity.name, `${name}${text}: ${type}`);
    entity.fields.push({ name, type, arguments: text, defaults, subgraph });
  }
}

/** Fields that require others, of which the later may require the earlier. */
function addRequires(
  entity: Entity,
  drafts: ReadonlyMap<string, Draft>,
  random: Random,
  requires: Map<string, string>,
  inputs: Map<string, InputField>,
): void {
  const count = random.below(4);
  for (let index = 0; index < count; index += 1) {
    const subgraph = random.pick([...entity.keyIn.keys()]);
    const draft = draftOf(drafts, subgraph);
    const candidates = entity.fields.filter(
      (field) => field.subgraph !== subgraph && inputTypes.has(field.type),
    );
    if (candidates.length === 0) {
      continue;
    }
    const required = random.some(candidates, 0.4);
    const set = required.map((field) => `${field.name}${chooseArguments(field, random)}`).join(' ');
    for (const field of required) {
      addField(draft, entity.name, `${field.name}${field.arguments}: ${field.type} @external`);
      inputs.set(`${entity.name}.${field.name}`, field);
    }
    const name = `need${index}`;
    addField(draft, entity.name, `${name}: String @requires(fields: ${JSON.stringify(set)})`);
    requires.set(`${entity.name}.${name}`, set);
    entity.fields.push({ name, type: 'String', arguments: '', defaults: {}, subgraph });
  }
}

function chooseArguments(field: EntityField, random: Random): string {
  if (field.arguments.includes('unit') && random.chance(0.6)) {
    return '(unit: IN)';
  }
  return field.arguments.includes('by') && random.chance(0.6) ? `(by: ${random.below(3)})` : '';
}

/** A type whose fields come from several subgraphs, at one path. */
function addSpreadType(entity: Entity, drafts: ReadonlyMap<string, Draft>, random: Random): void {
  const parts = ['width(unit: Unit! = CM): Int', 'height(unit: Unit! = CM): Float!', 'depth: Int'];
  const type = random.pick(['Dims', 'Dims!', '[Dims!]!', '[Dims]']);
  const hosts = [...entity.keyIn.keys()];
  hosts.forEach((subgraph, index) => {
    const own = parts.filter((_part, part) => part % hosts.length === index % parts.length);
    const draft = draftOf(drafts, subgraph);
    declareType(draft, 'Dims', '@shareable', ['note(by: Int = 1): String', ...own]);
    addField(draft, entity.name, `dims: ${type} @shareable`);
  });
}

/** An interface whose implementers one subgraph knows, while another knows only the interface, and adds to it. */
function addInterfaceObject(
  drafts: ReadonlyMap<string, Draft>,
  random: Random,
  requires: Map<string, string>,
  inputs: Map<string, InputField>,
): void {
  const names = [...drafts.keys()];
  const home = draftOf(drafts, random.pick(names));
  const other = draftOf(drafts, random.pick(names.filter((name) => name !== home.name)));
  home.extra.push('interface Media @key(fields: "id") { id: ID! title(by: Int = 2): String }');
  declareType(home, 'Book', 'implements Media @key(fields: "id")', [
    'id: ID!',
    'title(by: Int = 2): String',
    'pages: Int',
  ]);
  declareType(home, 'Film', 'implements Media @key(fields: "id")', [
    'id: ID!',
    'title(by: Int = 2): String',
    'minutes: Int!',
  ]);
  declareType(other, 'Media', '@interfaceObject @key(fields: "id")', [
    'id: ID!',
    'score(by: Int = 10): Int',
    'critic: String!',
  ]);
  if (random.chance(0.6)) {
    addField(other, 'Media', 'title(by: Int = 2): String @external');
    const set = random.pick(['title', 'title(by: 5)']);
    addField(other, 'Media', `blurb: String @requires(fields: "${set}")`);
    requires.set('Media.blurb', set);
    inputs.set('Media.title', { type: 'String', defaults: { by: 2 } });
  }
}

/** An interface that no type implements yet, while another subgraph has objects of it, and adds to it. */
function addUntypedInterfaceObject(drafts: ReadonlyMap<string, Draft>, random: Random): void {
  const names = [...drafts.keys()];
  const home = draftOf(drafts, random.pick(names));
  const others = random.some(
    names.filter((name) => name !== home.name),
    0.5,
  );
  const key = random.pick(['id', 'id', 'id region']);
  const fields = key.split(' ').map((name) => `${name}: ID!`);
  const keyIn = (): string => {
    const isResolvable = others.length > 1 || random.chance(0.7);
    return `@key(fields: "${key}"${isResolvable ? '' : ', resolvable: false'})`;
  };
  home.extra.push(`interface Media ${keyIn()} { ${fields.join(' ')} }`);
  others.forEach((other, index) => {
    const own = index === 0 ? ['score(by: Int = 10): Int', 'critic: String!'] : [`likes_${other}: Int!`];
    declareType(draftOf(drafts, other), 'Media', `@interfaceObject ${keyIn()}`, [...fields, ...own]);
  });
}

const labels = ['label-a', 'label-b', 'percent(40)'] as const;

/** Fields that one subgraph has taken over from another, or takes over while a label is set. */
function addOverrides(
  entities: readonly Entity[],
  drafts: ReadonlyMap<string, Draft>,
  random: Random,
  inputs: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, string | undefined> {
  const overrides = new Map<string, string | undefined>();
  for (const { name: typeName, keyIn, fields } of entities) {
    for (const field of fields.filter(({ name }) => !name.startsWith('need'))) {
      const heirs = [...keyIn.keys()].filter(
        (subgraph) => draftOf(drafts, subgraph).types.get(typeName)?.fields.has(field.name) === false,
      );
      if (heirs.length === 0 || !random.chance(0.35)) {
        continue;
      }
      const heir = draftOf(drafts, random.pick(heirs));
      // Composition refuses a `@requires` of what moves with a label.
      const mayMove = !inputs.has(`${typeName}.${field.name}`) && random.chance(0.85);
      const label = mayMove ? random.pick(labels) : undefined;
      const by = label === undefined ? '' : `, label: "${label}"`;
      addField(
        heir,
        typeName,
        `${field.name}${field.arguments}: ${field.type} @override(from: "${field.subgraph}"${by})`,
      );
      overrides.set(`${typeName}.${field.name}`, label);
    }
  }
  return overrides;
}

/**
 * A type that is found below an entity only, and has a field with an argument that is what a field of that entity is.
 * Where another entity has such a field too, it sets the context as well.
 */
function addContext(
  entities: readonly Entity[],
  drafts: ReadonlyMap<string, Draft>,
  random: Random,
  inputs: Map<string, InputField>,
  overrides: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, Context> {
  const home = random.pick([...drafts.values()]);
  const bare = (type: string): string => type.replace('!', '');
  const sources = entities
    .filter(({ keyIn }) => keyIn.has(home.name))
    .flatMap((entity) =>
      entity.fields
        .filter(({ name, type }) => inputTypes.has(type) && !overrides.has(`${entity.name}.${name}`))
        .map((field) => ({ entity, field })),
    );
  if (sources.length === 0) {
    return new Map();
  }
  const first = random.pick(sources);
  const type = bare(first.field.type);
  const others = sources.filter(({ entity, field }) => entity !== first.entity && bare(field.type) === type);
  const chosen = others.length > 0 && random.chance(0.7) ? [first, random.pick(others)] : [first];
  const selections = new Map<string, string>();
  for (const { entity, field } of chosen) {
    addField(home, entity.name, `${field.name}${field.arguments}: ${field.type} @external`);
    inputs.set(`${entity.name}.${field.name}`, field);
    selections.set(entity.name, `${field.name}${chooseArguments(field, random)}`);
    const declared = home.types.get(entity.name);
    if (declared !== undefined) {
      declared.head += ' @context(name: "setting")';
    }
    addField(home, entity.name, `tickets: ${random.pick(['[Ticket!]!', '[Ticket]', 'Ticket'])}`);
  }
  const parts = [...selections].map(([name, selection]) =>
    selections.size === 1 ? `{ ${selection} }` : `... on ${name} { ${selection} }`,
  );
  const source = JSON.stringify(`$setting ${parts.join(' ')}`);
  declareType(home, 'Ticket', '@key(fields: "id")', [
    'id: ID!',
    `worth(setting: ${type} @fromContext(field: ${source}), by: Int = 2): ${random.pick(['String', 'Int!'])}`,
    `holder: ${random.pick(chosen).entity.name}`,
  ]);
  const elsewhere = [...drafts.values()].filter((draft) => draft !== home);
  declareType(random.pick(elsewhere), 'Ticket', '@key(fields: "id")', ['id: ID!', 'remark: String']);
  return new Map([['Ticket.worth', { argument: 'setting', selections }]]);
}

interface World {
  readonly drafts: ReadonlyMap<string, Draft>;
  readonly entities: readonly Entity[];
  readonly abstractTypes: AbstractTypes;
  /** No subgraph provides what moves. */
  readonly overrides: ReadonlyMap<string, unknown>;
  /** The types that a field of an abstract type can hold, by `Type.field`. */
  readonly heldTypes: Map<string, readonly string[]>;
}

/** Fields from entity to entity, also to those that the subgraph knows nothing of but a key. */
function addLinks(draft: Draft, world: World, random: Random): void {
  const owners = world.entities.filter(({ keyIn }) => keyIn.has(draft.name)).map(({ name }) => name);
  const sources = [...owners, ...(draft.types.has('Media') ? ['Media'] : [])];
  for (const source of sources) {
    for (let index = 0; index < 2; index += 1) {
      const target = chooseTarget(draft, world, random);
      // A value that can have no type is null.
      const required = target.members?.length === 0 ? '[T!]' : 'T!';
      const type = random.pick(['T', 'T', required, '[T!]!', '[T]', '[[T!]]']).replace('T', target.name);
      const provides = target.entity === undefined ? '' : chooseProvided(draft, target.entity, world, random);
      const name = `link_${draft.name}_${source}_${index}`;
      addField(draft, source, `${name}: ${type}${provides}`);
      if (target.members !== undefined) {
        world.heldTypes.set(`${source}.${name}`, target.members);
      }
    }
  }
}

function chooseTarget(
  draft: Draft,
  { entities, abstractTypes }: World,
  random: Random,
): { readonly name: string; readonly entity?: Entity; readonly members?: readonly string[] } {
  const abstract = abstractTypesIn(draft.name, abstractTypes);
  if (abstract.length > 0 && random.chance(0.4)) {
    return random.pick(abstract);
  }
  const entity = random.pick(entities);
  if (!draft.types.has(entity.name)) {
    const key = random.pick(entity.keys);
    declareKeys(draft, entity.name, { keys: [key], isResolvable: false });
  }
  return { name: entity.name, entity };
}

function chooseProvided(draft: Draft, entity: Entity, { drafts, overrides }: World, random: Random): string {
  const candidates = entity.fields.filter(
    (field) =>
      field.subgraph !== draft.name &&
      field.arguments === '' &&
      !field.name.startsWith('need') &&
      !overrides.has(`${entity.name}.${field.name}`) &&
      (draft.types.get(entity.name)?.fields.get(field.name)?.includes('@external') ?? true),
  );
  if (candidates.length === 0 || !random.chance(0.3)) {
    return '';
  }
  const { name, type, subgraph } = random.pick(candidates);
  // Two subgraphs resolve it now.
  draftOf(drafts, subgraph).types.get(entity.name)?.fields.set(name, `${name}: ${type} @shareable`);
  addField(draft, entity.name, `${name}: ${type} @external`);
  return ` @provides(fields: "${name}")`;
}

function addRoots(draft: Draft, world: World, random: Random): void {
  const own = world.entities.filter(({ keyIn }) => keyIn.has(draft.name));
  const abstract = abstractTypesIn(draft.name, world.abstractTypes);
  addField(draft, 'Query', `now_${draft.name}: String`);
  const addRoot = (rootType: string, field: string, members: readonly string[] | undefined): void => {
    addField(draft, rootType, field);
    if (members !== undefined) {
      world.heldTypes.set(`${rootType}.${field.slice(0, field.indexOf('('))}`, members);
    }
  };
  for (const { name, members } of [
    ...own.map(({ name: entity }) => ({ name: entity, members: undefined })),
    ...abstract,
  ]) {
    const lower = name.toLowerCase();
    const list = random.pick(['[T!]!', '[T]', '[T!]']).replace('T', name);
    addRoot('Query', `${lower}_${draft.name}(id: ID): ${name}`, members);
    addRoot('Query', `${lower}s_${draft.name}(by: Int! = 2): ${list}`, members);
    addRoot('Mutation', `change_${lower}_${draft.name}(by: Int = 1): ${name}`, members);
  }
}
