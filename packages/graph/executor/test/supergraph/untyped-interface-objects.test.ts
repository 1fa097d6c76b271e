// Interface objects whose interface no type implements: a team publishes an interface before its first type.
import { describe, expect, it } from '@jest/globals';

import { startFederation, useFederation } from '../support/federation.ts';
import type { SubgraphDefinition } from '../support/stub-subgraph.ts';
import { executors } from '../support/reference/reference-executor.ts';

const medium = { id: 'm1', score: 5, related: { id: 'm2', score: 7 }, tags: ['a'] };

const catalog = (key: string): SubgraphDefinition => ({
  sdl: `
    type Query { draft: Media  named: Named }
    interface Named { id: ID! }
    interface Media implements Named @key(fields: "id"${key}) { id: ID!  title: String }
  `,
  resolvers: { Query: { draft: () => null, named: () => null } },
});
const ratings = (key: string): SubgraphDefinition => ({
  sdl: `
    type Query { top: Media  all: [Media!]!  shelf: Shelf  none: Media }
    type Mutation { rate: Media }
    type Shelf @key(fields: "id") { id: ID!  media: Media }
    type Media @interfaceObject @key(fields: "id"${key}) {
      id: ID!  score: Int  related: Media  tags: [String!]
    }
  `,
  resolvers: {
    Query: {
      top: () => medium,
      all: () => [medium, medium.related],
      shelf: () => ({ id: 's1', media: medium }),
      none: () => null,
    },
    Mutation: { rate: () => medium },
    Shelf: { media: () => medium },
    Media: { __resolveReference: ({ id }: { id: string }) => (id === 'm1' ? medium : medium.related) },
  },
});
const likes: SubgraphDefinition = {
  sdl: `
    type Shelf @key(fields: "id") { id: ID!  name: String }
    type Media @interfaceObject @key(fields: "id") { id: ID!  likes: Int! }
  `,
  resolvers: {
    Shelf: { name: ({ id }: { id: string }) => `Shelf ${id}` },
    Media: { likes: ({ id }: { id: string }) => id.length },
  },
};

const cases: readonly (readonly [string, unknown])[] = [
  ['{ top { id } }', { top: { id: 'm1' } }],
  ['{ top { id score } }', { top: { id: 'm1', score: 5 } }],
  ['{ best: top { rank: score } }', { best: { rank: 5 } }],
  ['{ top { ... on Media { score ... { id } } } }', { top: { score: 5, id: 'm1' } }],
  [
    '{ top { score related { id score tags } } }',
    { top: { score: 5, related: { id: 'm2', score: 7, tags: null } } },
  ],
  ['{ all { score } }', { all: [{ score: 5 }, { score: 7 }] }],
  ['{ all { related { score } } }', { all: [{ related: { score: 7 } }, { related: null }] }],
  ['{ shelf { id media { score } } }', { shelf: { id: 's1', media: { score: 5 } } }],
  ['{ none { id } draft { id } named { id } }', { none: null, draft: null, named: null }],
  ['{ none { __typename } }', { none: null }],
  ['{ top { score @skip(if: true) id } }', { top: { id: 'm1' } }],
  ['mutation { rate { id score } }', { rate: { id: 'm1', score: 5 } }],
];

describe.each(executors)('On objects of an interface without types, %s answers', (_name, create) => {
  describe.each([
    ['with resolvable keys', ''],
    ['with keys that are not', ', resolvable: false'],
  ])('%s', (_keys, key) => {
    const federation = useFederation({ catalog: catalog(key), ratings: ratings(key) }, { create });

    it.each(cases)('%s', async (operation, data) => {
      expect(await federation.dataOf(operation)).toEqual(data);
    });

    it('by one call where everything below is skipped', async () => {
      const operation = 'query ($no: Boolean = false) { top { id @include(if: $no) } }';
      expect(await federation.dataOf(operation)).toEqual({ top: {} });
      expect(federation.subgraphs.ratings.received).toHaveLength(1);
    });

    it.each([
      ['{ top { id __typename } shelf { id } }', { top: null, shelf: { id: 's1' } }, ['top', '__typename']],
      [
        '{ all { related { __typename } } }',
        { all: [{ related: null }, { related: null }] },
        ['all', 0, 'related', '__typename'],
      ],
    ])('with an error for a type that no subgraph knows: %s', async (operation, data, path) => {
      expect(await federation.run(operation)).toMatchObject({ data, errors: [{ path }] });
    });

    it('and refuses a field that only a type could have', async () => {
      await expect(federation.run('{ top { id title } }')).rejects.toThrow(
        'The field "title" cannot be planned: no type implements "Media" yet',
      );
    });
  });

  it('from two interface objects', async () => {
    const federation = await startFederation(
      { catalog: catalog(''), ratings: ratings(''), likes },
      { create },
    );
    const operation = '{ top { score likes related { likes } } shelf { name media { likes } } }';
    expect(await federation.dataOf(operation)).toEqual({
      top: { score: 5, likes: 2, related: { likes: 2 } },
      shelf: { name: 'Shelf s1', media: { likes: 2 } },
    });
    await federation.close();
  });
});

describe('An interface object of which everything is skipped', () => {
  const withTypes: SubgraphDefinition = {
    sdl: `
      type Query { empty: Boolean }
      interface Media @key(fields: "id") { id: ID! }
      type Film implements Media @key(fields: "id") { id: ID! }
    `,
    resolvers: {},
  };

  it('is fetched by one call, also where its interface has types', async () => {
    const federation = await startFederation({ withTypes, ratings: ratings('') });
    const operation =
      'query ($no: Boolean = false) { top { id @include(if: $no) related { ... @skip(if: true) { id } } } }';
    const result = await federation.run(operation);
    const received = federation.subgraphs.withTypes.received.length;
    await federation.close();
    expect(result).toEqual({ data: { top: { related: {} } }, errors: [] });
    expect(received).toBe(0);
  });
});
