import { expect, it } from '@jest/globals';

import { startFederation } from '../support/federation.ts';

it('A @requires has its input, where the keys to its subgraph take several fetches', async () => {
  const federation = await startFederation({
    shop: {
      sdl: 'type Query { parcels: [Parcel!]! } type Parcel @key(fields: "id") { id: ID! }',
      resolvers: { Query: { parcels: () => [{ id: '1' }] } },
    },
    depot: {
      sdl: 'type Parcel @key(fields: "id") @key(fields: "code") { id: ID! code: ID! weight: Int }',
      resolvers: { Parcel: { __resolveReference: () => ({ id: '1', code: 'c1', weight: 3 }) } },
    },
    register: {
      sdl: 'type Parcel @key(fields: "code") @key(fields: "label") { code: ID! label: ID! }',
      resolvers: { Parcel: { __resolveReference: () => ({ code: 'c1', label: 'l1' }) } },
    },
    carrier: {
      sdl: `type Parcel @key(fields: "label") {
        label: ID!  weight: Int @external  price: Int @requires(fields: "weight")
      }`,
      resolvers: { Parcel: { price: ({ weight }: { weight: number }) => weight * 10 } },
    },
  });

  const result = await federation.run('{ parcels { price } }');
  await federation.close();

  expect(result).toEqual({ data: { parcels: [{ price: 30 }] }, errors: [] });
});

it.each([
  ['{ freight { ... on Crate { route } } }', { freight: [{ route: 'R-north/two-c1' }, {}] }],
  [
    '{ freight { ... on Crate { tag { two } route origin } ... on Pallet { height } } }',
    {
      freight: [{ tag: { two: 'two-c1' }, route: 'R-north/two-c1', origin: 'north' }, { height: 3 }],
    },
  ],
  [
    '{ crates { stops route next { route } } }',
    {
      crates: [{ stops: 2, route: 'R-north/two-c1', next: { route: 'R-north/two-c2' } }],
    },
  ],
])(
  'A @requires has its input behind a key that is nested and comes from a third subgraph: %s',
  async (text, data) => {
    const crate = (label: string) => ({
      __typename: 'Crate',
      tag: { one: label },
      origin: 'north',
      next: { tag: { one: 'c2' }, origin: 'north' },
    });
    const federation = await startFederation({
      home: {
        sdl: `
        type Query { freight: [Freight]  crates: [Crate!]! }
        union Freight = Crate | Pallet
        type Pallet { height: Int }
        type Crate @key(fields: "tag { one }") { tag: Label @shareable  origin: String  next: Crate }
        type Label @key(fields: "one") { one: ID! }
      `,
        resolvers: {
          Query: {
            freight: () => [crate('c1'), { __typename: 'Pallet', height: 3 }],
            crates: () => [crate('c1')],
          },
          Crate: { __resolveReference: ({ tag }: { tag: { one: string } }) => crate(tag.one) },
        },
      },
      between: {
        sdl: 'type Label @key(fields: "one") @key(fields: "two") { one: ID!  two: ID! }',
        resolvers: { Label: { two: ({ one }: { one: string }) => `two-${one}` } },
      },
      far: {
        sdl: `
        type Crate @key(fields: "tag { two }") {
          tag: Label @shareable
          origin: String @external
          route: String @requires(fields: "origin")
          stops: Int
        }
        type Label @key(fields: "two") { two: ID! }
      `,
        resolvers: {
          Crate: {
            stops: () => 2,
            route: ({ origin, tag }: { origin: string; tag: { two: string } }) => `R-${origin}/${tag.two}`,
          },
        },
      },
    });

    const result = await federation.run(text);
    await federation.close();

    expect(result).toEqual({ data, errors: [] });
  },
);

it.each([
  ['{ listings { isNew } }', { listings: [{ isNew: true }, { isNew: false }] }],
  [
    '{ listings { edition { isbn } isNew } }',
    {
      listings: [
        { edition: { isbn: '1' }, isNew: true },
        { edition: { isbn: '2' }, isNew: false },
      ],
    },
  ],
])('A @requires has its input, where that is inside an object of the key: %s', async (text, data) => {
  const federation = await startFederation({
    library: {
      sdl: `
        type Query { listings: [Listing!]! }
        type Listing @key(fields: "edition { isbn }") { edition: Edition! }
        type Edition { isbn: ID!  book: Book! }
        type Book { year: Int! }
      `,
      resolvers: {
        Query: {
          listings: () => [
            { edition: { isbn: '1', book: { year: 2026 } } },
            { edition: { isbn: '2', book: { year: 1926 } } },
          ],
        },
      },
    },
    recommender: {
      sdl: `
        type Listing @key(fields: "edition { isbn }") {
          edition: Edition!
          isNew: Boolean! @requires(fields: "edition { book { year } }")
        }
        type Edition { isbn: ID!  book: Book! @external }
        type Book { year: Int! @external }
      `,
      resolvers: {
        Listing: {
          isNew: ({ edition }: { edition: { book: { year: number } } }) => edition.book.year > 2000,
        },
      },
    },
  });

  const result = await federation.run(text);
  await federation.close();

  expect(result).toEqual({ data, errors: [] });
});
