// A query that is known is compiled; these hold what it answers against what graphql-js answers.
import { buildSubgraphSchema } from '@apollo/subgraph';
import { describe, expect, it } from '@jest/globals';
import { execute, GraphQLError, GraphQLScalarType, parse, validate } from 'graphql';

import type { SubgraphContext } from '../../src/index.ts';
import { guardFields } from '../../src/guards/guard-fields.ts';
import { createKnownQueries } from '../../src/execution/known-queries.ts';

const typeDefs = parse(`
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.14", import: ["@key"])
  scalar Moment
  enum Colour { RED GREEN }
  type Query { box(size: Int = 2, colour: Colour): Box boxes: [Box] strict: Box! none: Box echo(of: Filter): String }
  input Filter { colour: Colour = GREEN sizes: [Int!]! }
  type Box @key(fields: "id") {
    id: ID!
    colour: Colour
    weight: Float
    isFull: Boolean
    made: Moment
    count: Int!
    method(times: Int! = 3): String
    inner: Box
    laterInner: Box
    tags: [String!]
    laterTags: [String]
    grid: [[Int]]
    set: [Int!]
    fails: String
    failsLater: String
    failsHard: String!
    failsHardLater: String!
    absent: String!
    wrongColour: Colour
    wrongCount: Int
    wrongList: [Int]
    returnsError: String
    itemsFail: [Int]
    itemsFailHard: [Int!]
    itemsFailHardLater: [Box!]
  }
  type Ghost @key(fields: "id") { id: ID! name: String }
  type Plain { id: ID }
`);

interface Box {
  readonly id: string;
  readonly depth: number;
}

const box = (id: string, depth = 0) => ({
  id,
  depth,
  colour: 'green',
  weight: 1.5,
  isFull: true,
  made: 1_700_000_000_000,
  count: 7,
  method: ({ times }: { times: number }) => id.repeat(times),
  tags: ['a', 'b'],
  grid: [[1, null], null, [2]],
  set: new Set([1, 2]),
  wrongColour: 'mauve',
  wrongCount: 1.5,
  wrongList: 'no list',
});
const later = async <Value>(value: Value): Promise<Value> => {
  await Promise.resolve();
  return value;
};
const fail = (message: string): never => {
  throw new Error(message);
};
const failLater = async (message: string): Promise<never> => fail(await later(message));

const resolvers = {
  Moment: new GraphQLScalarType({
    name: 'Moment',
    serialize: (value) => new Date(Number(value)).toISOString(),
  }),
  Colour: { RED: 'red', GREEN: 'green' },
  Query: {
    box: (_query: unknown, { size, colour }: { size: number; colour?: string }) => box(`${size} ${colour}`),
    boxes: async () => [
      box('1'),
      null,
      later(box('2')),
      failLater('no third box'),
      new Error('no fourth box'),
    ],
    strict: () => later(box('strict')),
    none: () => null,
    echo: (_query: unknown, argumentValues: unknown) => JSON.stringify(argumentValues),
  },
  Box: {
    __resolveReference: ({ id }: Box) =>
      id === 'missing' ? later(null) : id === 'broken' ? failLater('no such luck') : later(box(id)),
    inner: ({ id, depth }: Box) => box(`${id}>`, depth + 1),
    laterInner: ({ id, depth }: Box) => later(box(`${id}>`, depth + 1)),
    laterTags: () => later([later('x'), 'y', null]),
    fails: () => fail('it fails'),
    failsLater: () => failLater('it fails later'),
    failsHard: () => fail('it fails hard'),
    failsHardLater: () => failLater('it fails hard, later'),
    returnsError: () => new GraphQLError('an error as a value', { extensions: { code: 'HELD' } }),
    itemsFail: () => [1, failLater('second item'), 'three'],
    itemsFailHard: () => [1, null, 3],
    itemsFailHardLater: () => [later(box('a')), failLater('second'), failLater('third')],
  },
};

const schema = buildSubgraphSchema({ typeDefs, resolvers });
guardFields(schema);
const queries = createKnownQueries(schema);
const context = { signal: new AbortController().signal } as SubgraphContext<unknown>;

/** What both make of a query, as JSON, so that the order of members counts. */
async function answersTo(
  text: string,
  variables: Record<string, unknown> = {},
): Promise<{ compiled: string | undefined; interpreted: string }> {
  const document = parse(text);
  expect(validate(schema, document)).toEqual([]);
  queries.add(text, undefined, document);
  const run = queries.find(text, undefined)?.run(variables, context);
  const result = await execute({ schema, document, variableValues: variables, contextValue: context });
  return { compiled: run && JSON.stringify(await run), interpreted: JSON.stringify(result) };
}

const scalars = 'id colour weight isFull made count tags grid set method __typename';

describe('A known query answers like graphql-js:', () => {
  it.each([
    [`{ box { ${scalars} } none { id } }`],
    ['{ box(size: 5, colour: RED) { id m: method(times: 1) method } again: box { id } }'],
    ['query ($s: Int, $c: Colour = GREEN) { box(size: $s, colour: $c) { id } }'],
    ['query ($f: Filter) { a: echo(of: $f) b: echo(of: { sizes: 1 }) c: echo }'],
    ['{ boxes { id inner { id } laterInner { id laterInner { id } } } }'],
    ['{ box { laterTags tags wrongColour wrongCount wrongList returnsError } }'],
    ['{ box { fails failsLater id } }'],
    ['{ box { inner { failsHard id } id } }'],
    ['{ box { laterInner { id failsHardLater } id } }'],
    ['{ box { inner { failsHardLater failsHard } failsLater } }'],
    ['{ box { absent } none { id } }'],
    ['{ box { itemsFail itemsFailHard id } }'],
    ['{ box { itemsFailHardLater { id } id } }'],
    ['{ box { id } strict { id failsHard } }'],
    ['{ strict { failsHardLater } box { id } }'],
    [
      '{ box { ...A ... on Box { inner { colour } } ... { weight } } } fragment A on Box { id inner { id } id }',
    ],
    ['{ __typename q: __typename box { t: __typename } }'],
    ['{ box { inner { inner { inner { id fails } } } } boxes { count } }'],
  ])('%s', async (text) => {
    const { compiled, interpreted } = await answersTo(text, { s: 4, f: { sizes: [1, 2] } });
    expect(compiled).toBe(interpreted);
  });

  it.each([
    [
      'entities in the order of their representations',
      ['a', 'missing', 'b', 'broken', 'a'],
      '{ id inner { id } }',
    ],
    ['no entities', [], '{ id }'],
    ['entities that fail below', ['a', 'b'], '{ id failsHardLater }'],
  ])('%s', async (_what, ids, fields) => {
    const text = `query ($r: [_Any!]!) { _entities(representations: $r) { __typename ... on Box ${fields} } }`;
    const r = ids.map((id) => ({ __typename: 'Box', id }));
    const { compiled, interpreted } = await answersTo(text, { r });
    expect(compiled).toBe(interpreted);
  });

  it('entities of several types, one without a resolver, and one that is not an entity', async () => {
    const text = `query ($r: [_Any!]!) {
      _entities(representations: $r) { ... on Box { id } ... on Ghost { name, id } }
    }`;
    const r = ['Ghost', 'Box', 'Plain'].map((__typename) => ({ __typename, id: '1' }));
    const { compiled, interpreted } = await answersTo(text, { r });
    expect(compiled).toBe(interpreted);
  });

  it('a representation of an unknown type, refused before anything else begins', async () => {
    const text = 'query ($r: [_Any!]!) { _entities(representations: $r) { ... on Box { id } } }';
    const r = [{ __typename: 'Box', id: 'broken' }, { __typename: 'Nothing' }, 'text'];
    const { compiled, interpreted } = await answersTo(text, { r });
    expect(compiled).toBe(interpreted);
    expect(compiled).toContain('BAD_USER_INPUT');
  });
});

describe('The compiler of known queries leaves to graphql-js', () => {
  it.each([
    ['a query whose fields depend on variables', 'query ($s: Boolean!) { box { id @skip(if: $s) } }'],
    ['introspection', '{ __schema { queryType { name } } }'],
    ['a response key that would be a prototype', '{ __proto__: box { id } }'],
    ['a text beyond 20 000 characters', `{ box { id ${' '.repeat(20_000)} } }`],
  ])('%s', async (_what, text) => {
    const { compiled } = await answersTo(text, { s: true });
    expect(compiled).toBeUndefined();
  });

  it('a query with variables of the wrong type, which runs nothing', async () => {
    const { compiled, interpreted } = await answersTo('query ($s: Int) { box(size: $s) { id } }', { s: 'x' });
    expect(compiled).toBeUndefined();
    expect(interpreted).toContain('got invalid value');
  });
});

it('The cache of known queries keeps texts of four million characters', () => {
  const long = createKnownQueries(schema);
  const textOf = (n: number) => `#${'x'.repeat(15_000)}\nquery N${n} { none { id } }`;
  for (let n = 0; n <= 300; n += 1) {
    long.add(textOf(n), undefined, parse(textOf(n)));
  }
  expect(long.find(textOf(0), undefined)).toBeUndefined();
  expect(long.find(textOf(300), undefined)).toBeDefined();
});

it('The cache of known queries keeps the last thousand queries', () => {
  const few = createKnownQueries(schema);
  const textOf = (n: number) => `query N${n} { none { id } }`;
  for (let n = 0; n <= 1000; n += 1) {
    few.add(textOf(n), undefined, parse(textOf(n)));
  }
  expect(few.find(textOf(0), undefined)).toBeUndefined();
  expect(few.find(textOf(1), undefined)).toBeDefined();
});
