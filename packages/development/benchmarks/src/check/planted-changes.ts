import type { SubgraphSchema } from '@meridian/composition';

/** An edit of one subgraph's schema. */
export interface PlantedChange {
  /** The change that the report must have. */
  readonly kind: string;
  readonly coordinate: string;
  readonly subgraph: string;
  /** The text before, and after. */
  readonly edit: readonly [before: string, after: string];
}

/** Ten changes of different kinds, in ten subgraphs; operations use most of the elements. */
const tenChanges: readonly PlantedChange[] = [
  {
    kind: 'FIELD_TYPE_CHANGED',
    coordinate: 'Details0_0.title',
    subgraph: 'subgraph0',
    edit: ['type Details0_0 {\n  title: String!', 'type Details0_0 {\n  title: String'],
  },
  {
    kind: 'FIELD_REMOVED',
    coordinate: 'Details1_0.price',
    subgraph: 'subgraph1',
    edit: [
      'type Details1_0 {\n  title: String!\n  body: String\n  price: Int\n',
      'type Details1_0 {\n  title: String!\n  body: String\n',
    ],
  },
  {
    kind: 'ENUM_VALUE_ADDED',
    coordinate: 'State2_0.REVIEWED',
    subgraph: 'subgraph2',
    edit: ['enum State2_0 {\n', 'enum State2_0 {\n  REVIEWED\n'],
  },
  {
    kind: 'ENUM_VALUE_REMOVED',
    coordinate: 'State3_0.DRAFT',
    subgraph: 'subgraph3',
    edit: ['enum State3_0 {\n  DRAFT\n', 'enum State3_0 {\n'],
  },
  {
    kind: 'REQUIRED_INPUT_FIELD_ADDED',
    coordinate: 'Filter4_0.owner',
    subgraph: 'subgraph4',
    edit: ['input Filter4_0 {\n', 'input Filter4_0 {\n  owner: ID!\n'],
  },
  {
    kind: 'REQUIRED_ARGUMENT_ADDED',
    coordinate: 'Query.entity5_0(locale:)',
    subgraph: 'subgraph5',
    edit: ['entity5_0(id: ID!)', 'entity5_0(id: ID!, locale: String!)'],
  },
  {
    kind: 'DEPRECATION_ADDED',
    coordinate: 'Details6_0.title',
    subgraph: 'subgraph6',
    edit: [
      'type Details6_0 {\n  title: String!',
      'type Details6_0 {\n  title: String! @deprecated(reason: "use body")',
    ],
  },
  {
    kind: 'FIELD_ARGUMENT_DEFAULT_CHANGED',
    coordinate: 'Query.entities7_0(first:)',
    subgraph: 'subgraph7',
    edit: ['first: Int = 10): [Entity7_0!]!', 'first: Int = 20): [Entity7_0!]!'],
  },
  {
    kind: 'FIELD_ADDED',
    coordinate: 'Details8_0.colour',
    subgraph: 'subgraph8',
    edit: ['type Details8_0 {\n', 'type Details8_0 {\n  colour: String\n'],
  },
  {
    kind: 'FIELD_MOVED',
    coordinate: 'Entity8_0.name',
    subgraph: 'subgraph9',
    edit: [
      'type Entity8_0 @key(fields: "id") {\n  id: ID!\n',
      'type Entity8_0 @key(fields: "id") {\n  id: ID!\n  name: String! @override(from: "subgraph8")\n',
    ],
  },
];

/** A second key. The plan of any operation may depend on it, so all are planned twice. */
const newKey: readonly PlantedChange[] = [
  {
    kind: 'KEY_ADDED',
    coordinate: 'Entity0_0',
    subgraph: 'subgraph0',
    edit: [
      'type Entity0_0 implements Named0_0 @key(fields: "id") {',
      'type Entity0_0 implements Named0_0 @key(fields: "id") @key(fields: "name") {',
    ],
  },
];

/** The changes that the benchmark plants, by the name of the measurement. */
export const plantedChanges: ReadonlyMap<string, readonly PlantedChange[]> = new Map([
  ['no change', []],
  ['ten changes', tenChanges],
  ['a new key', newKey],
]);

/**
 * Applies changes to subgraphs.
 *
 * @throws {Error} for one whose text is not there exactly once
 */
export function plant(
  changes: readonly PlantedChange[],
  subgraphs: readonly SubgraphSchema[],
): readonly SubgraphSchema[] {
  return changes.reduce((edited, { subgraph, edit: [before, after] }) => {
    if (!edited.some(({ name, sdl }) => name === subgraph && sdl.split(before).length === 2)) {
      throw new Error(`Cannot change ${subgraph}: it does not have ${JSON.stringify(before)} exactly once`);
    }
    return edited.map((one) =>
      one.name === subgraph ? { ...one, sdl: one.sdl.replace(before, () => after) } : one,
    );
  }, subgraphs);
}
