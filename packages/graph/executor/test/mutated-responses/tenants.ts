import { buildSubgraphSchema } from '@apollo/subgraph';
import type { GraphQLSchema } from 'graphql';
import { execute, isObjectType, parse } from 'graphql';

import type { Supergraph } from '../../src/index.ts';
import { loadSupergraph } from '../../src/index.ts';
import { composeSdl } from '../support/federation.ts';

const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: [
  "@key", "@external", "@requires", "@shareable"
])\n`;

const subgraphs: Readonly<Record<string, string>> = {
  things: `${link}
    scalar Anything
    enum Kind { WET DRY }
    type Query { thing: Thing, things: [Thing!]!, named: [Named]!, maker: Maker, grid: [[Part]!] }
    interface Named { name: String! }
    type Thing implements Named @key(fields: "id") {
      id: ID! name: String! size: Int ratio: Float! isOpen: Boolean kind: Kind! anything: Anything tags: [String!]
      level: Int! share: Float anyKey: Anything parts: [Part!] maker: Maker
    }
    type Part { name: String! width: Int }
    type Other implements Named { name: String! depth: Int }
    type Maker @key(fields: "id") { id: ID! city: String @shareable }`,
  costs: `${link}
    scalar Anything
    type Thing @key(fields: "id") {
      id: ID! level: Int! @external share: Float @external anyKey: Anything @external
      cost: Int! note: String weighted: Float @requires(fields: "level share anyKey") offers: [Offer!]
    }
    type Offer { price: Float! seller: Maker! }
    type Maker @key(fields: "id") { id: ID! }`,
  makers: `${link}
    type Maker @key(fields: "id") { id: ID! title: String! city: String @shareable motto: String }`,
};

/** Plans of each kind that splicing knows. */
export const operations: readonly string[] = [
  '{ thing { size ratio isOpen kind name tags anything parts { name width } } }',
  '{ things { id name cost note ratio } }',
  '{ things { id weighted tags } thing { weighted } }',
  '{ named { __typename name ... on Thing { note kind } ... on Other { depth } } }',
  '{ things { name maker { id title motto city } } }',
  '{ first: things { n: name s: size } maker { id } grid { name width } }',
  '{ things { offers { price seller { title } } cost } maker { title } }',
  '{ thing { __proto__: name constructor: anything } named { name ... on Thing { parts { width } } } }',
];

export const supergraph: Supergraph = loadSupergraph(
  composeSdl(
    Object.entries(subgraphs).map(([name, sdl]) => ({ name, sdl, routingUrl: `http://${name}.invalid` })),
  ),
);

/** The data of a tenant in subgraphs; each text has the mark of that tenant. */
export interface Tenant {
  /** A sound answer, as `graphql` writes it. */
  response(subgraph: string, body: string): Promise<string>;
}

export function createTenant(mark: string): Tenant {
  const schemas = new Map(Object.entries(subgraphs).map(([name, sdl]) => [name, schemaOf(sdl)]));
  const responses = new Map<string, Promise<string>>();
  const rootValue = valuesOf(mark);
  const execution = async (subgraph: string, body: string): Promise<string> => {
    const { query, variables } = JSON.parse(body) as { query: string; variables?: Record<string, unknown> };
    const schema = schemas.get(subgraph);
    if (schema === undefined) {
      throw new Error(`There is no subgraph ${subgraph}`);
    }
    const document = parse(query);
    return JSON.stringify(
      await execute({ schema, document, rootValue, contextValue: mark, variableValues: variables }),
    );
  };
  return {
    response(subgraph, body) {
      const key = `${subgraph} ${body}`;
      const response = responses.get(key) ?? execution(subgraph, body);
      if (responses.size < 1000) {
        responses.set(key, response);
      }
      return response;
    },
  };
}

function schemaOf(sdl: string): GraphQLSchema {
  const typeDefs = parse(sdl);
  const entities = Object.values(buildSubgraphSchema({ typeDefs }).getTypeMap()).filter(
    (type) => isObjectType(type) && ['Thing', 'Maker'].includes(type.name),
  );
  return buildSubgraphSchema({
    typeDefs,
    resolvers: Object.fromEntries(entities.map(({ name }) => [name, { __resolveReference: entityOf }])),
  });
}

interface Representation {
  readonly __typename: string;
  readonly id: unknown;
  readonly level?: unknown;
}

/** One in so many is not there. */
const missingOf = 7;

function entityOf({ __typename, id, level }: Representation, mark: string): object | null {
  const number = String(id).length + (Number(/\d+/.exec(String(id))?.[0]) || 0);
  if (number % missingOf === 0) {
    return null;
  }
  return __typename === 'Maker'
    ? makerOf(mark, number)
    : {
        __typename,
        id,
        cost: number,
        note: number % 2 === 0 ? null : `${mark} „note“ ${number}`,
        weighted: Number(level) * 1.1,
        offers: [1, 2].map((price) => ({ price: price / 3, seller: makerOf(mark, price) })),
      };
}

function makerOf(mark: string, number: number): object {
  return {
    __typename: 'Maker',
    id: `${mark}-m${number}`,
    title: `${mark} 🎈`,
    city: 'Öhringen',
    motto: null,
  };
}

function valuesOf(mark: string): object {
  const parts = [1, 2].map((width) => ({ name: `${mark} part ${width}`, width: width === 1 ? null : width }));
  const thing = (number: number): object => ({
    __typename: 'Thing',
    id: `${mark}-t${number}`,
    name: `${mark} "thing" \\ ${number}`,
    size: number === 1 ? null : -number,
    ratio: number / 7,
    isOpen: number % 2 === 0,
    kind: 'DRY',
    anything: { [mark]: [number, { deep: [null, true, 1.5, 'x"]}'] }] },
    tags: [mark, '', 'é\n\u2028'],
    level: number,
    share: 0.1 + number,
    anyKey: [mark, number % 2],
    parts,
    maker: number === 2 ? null : makerOf(mark, number % 3),
  });
  const things = [1, 2, 3, 4, 3].map(thing);
  return {
    thing: thing(5),
    things,
    named: [things[0], { __typename: 'Other', name: `${mark} other`, depth: 3 }, null, things[2]],
    maker: makerOf(mark, 2),
    grid: [parts, [], [null, parts[0]]],
  };
}
