import type { SubgraphSchema } from '@meridian/composition';

/** The size of a generated graph. */
export interface GraphSize {
  readonly subgraphs: number;
  /** Of all subgraphs together; each has the same number of them. */
  readonly types: number;
}

/** Of the types of a subgraph, one in so many is an entity. */
const typesForEachEntity = 5;

/** The entities of each subgraph. */
export function entityCount({ subgraphs, types }: GraphSize): number {
  return Math.floor(types / subgraphs / typesForEachEntity);
}

/**
 * Generates subgraphs; the same size gives the same text. With each entity come an object, an input, an enum and an
 * interface, and three other subgraphs know it: one adds fields, one adds a field that requires another, and one refers
 * to it only.
 *
 * Composition takes quadratic time over the fields of one type, so there are many small types.
 */
export function generateSubgraphs(size: GraphSize): readonly SubgraphSchema[] {
  return Array.from({ length: size.subgraphs }, (_none, index) => ({
    name: `subgraph${index}`,
    routingUrl: `http://127.0.0.1:${5000 + index}/graphql`,
    sdl: schemaOf(index, size),
  }));
}

/** The subgraph that is this many places further on, in a circle. */
export function neighbour(index: number, distance: number, { subgraphs }: GraphSize): number {
  return (index + distance + subgraphs) % subgraphs;
}

function schemaOf(index: number, size: GraphSize): string {
  const entities = Array.from({ length: entityCount(size) }, (_none, entity) => entity);
  const own = entities.map((entity) => `${index}_${entity}`);
  const addedTo = entities.map((entity) => `${neighbour(index, -1, size)}_${entity}`);
  const rated = entities.map((entity) => `${neighbour(index, -2, size)}_${entity}`);
  const named = entities.map((entity) => `${neighbour(index, 3, size)}_${entity}`);
  return [
    link,
    `type Query {\n${own.map(rootFields).join('')}}\n`,
    ...entities.map((entity) => ownTypes(`${index}_${entity}`, `${neighbour(index, 3, size)}_${entity}`)),
    ...addedTo.map(
      (id) => `type Entity${id} @key(fields: "id") {\n  id: ID!\n  stock: Int\n  remarks: [String!]!\n}\n`,
    ),
    ...rated.map(
      (id) =>
        `type Entity${id} @key(fields: "id") {\n  id: ID!\n  weight: Int @external\n  shipping: Int @requires(fields: "weight")\n}\n`,
    ),
    ...named.map((id) => `type Entity${id} @key(fields: "id", resolvable: false) {\n  id: ID!\n}\n`),
  ].join('\n');
}

const link = `extend schema
  @link(
    url: "https://specs.apollo.dev/federation/v2.9"
    import: ["@key", "@shareable", "@override", "@requires", "@external", "@tag"]
  )
`;

function rootFields(id: string): string {
  return `  entity${id}(id: ID!): Entity${id}\n  entities${id}(filter: Filter${id}, first: Int = 10): [Entity${id}!]!\n`;
}

function ownTypes(id: string, next: string): string {
  return `"An entity of its own subgraph."
type Entity${id} implements Named${id} @key(fields: "id") {
  id: ID!
  name: String!
  description: String
  weight: Int
  state: State${id}!
  details: Details${id}
  next: Entity${next}
}

interface Named${id} {
  id: ID!
  name: String!
}

type Details${id} {
  title: String!
  body: String
  price: Int
  related: [Named${id}!]!
}

enum State${id} {
  DRAFT
  ACTIVE
  RETIRED
}

input Filter${id} {
  state: State${id}
  text: String
}
`;
}
