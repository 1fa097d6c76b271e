// `@context` and `@fromContext`: arguments of a field that are the values of fields further up, of which a client knows nothing.
// Whose products are asked for decides in which currency, and in which language.
import { describe, expect, it } from '@jest/globals';

import { explainPlan, loadSupergraph } from '../../src/index.ts';
import { composeSdl, startFederation, useFederation } from '../support/federation.ts';
import type { SubgraphDefinition } from '../support/stub-subgraph.ts';
import { respondJson } from '../support/stub-subgraph.ts';
import { executors } from '../support/reference/reference-executor.ts';

interface Person {
  readonly id: string;
  readonly name: string;
  readonly euros: string | null;
  readonly dollars: string;
  readonly lang: string;
}

const people: readonly Person[] = [
  { id: 'u1', name: 'Ada', euros: 'EUR', dollars: 'USD', lang: 'en' },
  { id: 'u2', name: 'Bo', euros: 'SEK', dollars: 'CAD', lang: 'sv' },
  { id: 'u3', name: 'Cy', euros: null, dollars: 'AUD', lang: 'cy' },
  { id: 'u4', name: 'Di', euros: 'EUR', dollars: 'USD', lang: 'en' },
];

const personOf = ({ id }: { readonly id: string }) => people.find((person) => person.id === id);

const definitions: Readonly<Record<'users' | 'shop' | 'firms' | 'ranks' | 'loyalty', SubgraphDefinition>> = {
  users: {
    sdl: `
      enum Zone { EURO DOLLAR }
      type Query { me: User  users: [User!]! }
      type User @key(fields: "id") { id: ID!  name: String  currency(zone: Zone = DOLLAR): String  settings: Settings! }
      type Settings { lang: String!  theme: String }
    `,
    resolvers: {
      Query: { me: () => people[0], users: () => people },
      User: {
        __resolveReference: personOf,
        currency: ({ euros, dollars }: Person, { zone }: { zone: string }) =>
          zone === 'EURO' ? euros : dollars,
        settings: ({ lang }: Person) => ({ lang, theme: 'dark' }),
      },
    },
  },
  shop: {
    sdl: `
      enum Zone { EURO DOLLAR }
      type Query { featured: User }
      type User @key(fields: "id") @context(name: "customer") {
        id: ID!
        currency(zone: Zone = DOLLAR): String @external
        settings: Settings! @external
        points: Int
        tier: String @external
        products: [Product!]!
        favourite: Product
      }
      type Settings @external { lang: String! }
      type Firm @key(fields: "id") @context(name: "buyer") { id: ID!  unit: String @external  parcels: [Parcel!]! }
      type State @key(fields: "id") @context(name: "buyer") { id: ID!  measure: String @external  parcels: [Parcel!]! }
      type Product @key(fields: "id") {
        id: ID!
        seller: User
        price(currency: String @fromContext(field: "$customer { currency(zone: EURO) }"), count: Int = 1): String
        label(lang: String @fromContext(field: "$customer { settings { lang } }")): String
        discount(tier: String @fromContext(field: "$customer { tier }")): String
      }
      type Parcel @key(fields: "id") {
        id: ID!
        weight(unit: String @fromContext(field: "$buyer ... on Firm { unit } ... on State { measure }")): String
      }
    `,
    resolvers: {
      Query: { featured: () => ({ id: 'u2' }) },
      User: {
        points: ({ id }: Person) => Number(id.slice(1)) * 10,
        products: ({ id }: Person) => ['p1', 'p2'].map((product) => ({ id: `${product}-${id}` })),
        favourite: () => ({ id: 'p9' }),
      },
      Firm: { parcels: () => [{ id: 'p1' }] },
      State: { parcels: () => [{ id: 'p1' }] },
      Product: {
        __resolveReference: ({ id }: { id: string }) => ({ id }),
        seller: () => ({ id: 'u2' }),
        price: ({ id }: { id: string }, { currency, count }: { currency: string | null; count: number }) =>
          `${count} ${id} in ${currency}`,
        discount: ({ id }: { id: string }, { tier }: { tier: string | null }) => `${id} for ${tier}`,
        label: ({ id }: { id: string }, { lang }: { lang: string | null }) => `${id} in ${lang}`,
      },
      Parcel: {
        __resolveReference: ({ id }: { id: string }) => ({ id }),
        weight: (_parcel: unknown, { unit }: { unit: string | null }) => `1 ${unit}`,
      },
    },
  },
  ranks: {
    sdl: `
      type User @key(fields: "id") { id: ID!  points: Int @external  rank: Int @requires(fields: "points") }
    `,
    resolvers: {
      User: {
        __resolveReference: (representation: unknown) => representation,
        rank: ({ points }: { points: number }) => points / 10,
      },
    },
  },
  loyalty: {
    sdl: `
      type User @key(fields: "id") { id: ID!  rank: Int @external  tier: String @requires(fields: "rank") }
    `,
    resolvers: {
      User: {
        __resolveReference: (representation: unknown) => representation,
        tier: ({ rank }: { rank: number }) => `tier ${rank}`,
      },
    },
  },
  firms: {
    sdl: `
      type Query { buyers: [Buyer!]! }
      union Buyer = Firm | State
      type Firm @key(fields: "id") { id: ID!  unit: String  motto: String }
      type State @key(fields: "id") { id: ID!  measure: String  motto: String }
    `,
    resolvers: {
      Query: {
        buyers: () => [
          { __typename: 'Firm', id: 'f1', unit: 'kg', motto: 'lb' },
          { __typename: 'State', id: 's1', measure: 'oz', motto: 'lb' },
        ],
      },
      Firm: {},
      State: {},
    },
  },
};

describe.each(executors)('An argument from a context, with %s,', (_name, create) => {
  const federation = useFederation(definitions, { create });

  /** The inputs of the shop, one for each request. */
  const requestedWith = (): readonly unknown[] =>
    federation.subgraphs.shop.received
      .map(({ body: { variables = {} } }) => variables)
      .map(({ representations: _representations, ...values }) => Object.values(values));

  it('has the value of a field of another subgraph', async () => {
    expect(await federation.dataOf('{ me { favourite { price label } } }')).toEqual({
      me: { favourite: { price: '1 p9 in EUR', label: 'p9 in en' } },
    });
  });

  it('has the value of its own object, also null, and each value is fetched once', async () => {
    expect(await federation.dataOf('{ users { products { price } } }')).toEqual({
      users: people.map(({ id, euros }) => ({
        products: ['p1', 'p2'].map((product) => ({ price: `1 ${product}-${id} in ${euros}` })),
      })),
    });
    expect(requestedWith()).toEqual([['EUR'], ['SEK'], [null]]);
  });

  it("has its value when the field's subgraph comes first", async () => {
    expect(await federation.dataOf('{ featured { products { id label price(count: 3) } } }')).toEqual({
      featured: {
        products: ['p1-u2', 'p2-u2'].map((id) => ({ id, label: `${id} in sv`, price: `3 ${id} in SEK` })),
      },
    });
  });

  it('has its value when that depends on what is fetched with the field', async () => {
    expect(
      await federation.dataOf('{ users { favourite { discount } } featured { favourite { discount } } }'),
    ).toEqual({
      users: [1, 2, 3, 4].map((rank) => ({ favourite: { discount: `p9 for tier ${rank}` } })),
      featured: { favourite: { discount: 'p9 for tier 2' } },
    });
  });

  it('has the value of the nearest object when contexts are nested', async () => {
    expect(await federation.dataOf('{ me { favourite { price seller { favourite { price } } } } }')).toEqual({
      me: { favourite: { price: '1 p9 in EUR', seller: { favourite: { price: '1 p9 in SEK' } } } },
    });
  });

  it('has the value that was selected for the type of the object', async () => {
    expect(
      await federation.dataOf(
        '{ buyers { ... on Firm { parcels { weight } } ... on State { parcels { weight } } } }',
      ),
    ).toEqual({ buyers: [{ parcels: [{ weight: '1 kg' }] }, { parcels: [{ weight: '1 oz' }] }] });
  });

  it.each([
    [
      'an alias of its name for another field',
      '{ me { currency: name settings: name favourite { price label } } }',
      { currency: 'Ada', settings: 'Ada', favourite: { price: '1 p9 in EUR', label: 'p9 in en' } },
    ],
    [
      'the same field with other arguments, and without any',
      '{ me { currency other: currency(zone: DOLLAR) favourite { price } } }',
      { currency: 'USD', other: 'USD', favourite: { price: '1 p9 in EUR' } },
    ],
    [
      'the same field with the same arguments',
      '{ me { currency(zone: EURO) favourite { price cost: price(count: 2) } } }',
      { currency: 'EUR', favourite: { price: '1 p9 in EUR', cost: '2 p9 in EUR' } },
    ],
    [
      'an alias on the way to the field, and an alias on the way to its value',
      '{ me { settings { lang: theme } favourite { lang: label label: price } } }',
      { settings: { lang: 'dark' }, favourite: { lang: 'p9 in en', label: '1 p9 in EUR' } },
    ],
  ])('keeps its value when a client selects %s', async (_case, text, me) => {
    expect(await federation.dataOf(text)).toEqual({ me });
  });

  it('keeps its value when client variables have the names that the planner gives', async () => {
    const text = `query ($contextualArgument_1_0: Int, $contextualArgument_1_1: Int, $contextualArgument_2_0: Int, $_client0: Int) {
      me { favourite { label price(count: $contextualArgument_1_0) a: price(count: $contextualArgument_1_1) b: price(count: $contextualArgument_2_0) c: price(count: $_client0) } }
    }`;
    const variables = {
      contextualArgument_1_0: 3,
      contextualArgument_1_1: 4,
      contextualArgument_2_0: 5,
      _client0: 6,
    };

    expect(await federation.dataOf(text, variables)).toEqual({
      me: {
        favourite: {
          label: 'p9 in en',
          price: '3 p9 in EUR',
          a: '4 p9 in EUR',
          b: '5 p9 in EUR',
          c: '6 p9 in EUR',
        },
      },
    });
  });

  it('is named in the explanation of the plan, with the field of its value', async () => {
    const { text } = explainPlan(await federation.plan('{ featured { favourite { label price } } }'));

    expect(text).toMatch(/once for each \$contextualArgument_\d_\d, which is \.\.\/settings\/lang$/mu);
    expect(text).toMatch(/once for each \$contextualArgument_\d_\d, which is \.\.\/_r0_currency$/mu);
  });

  it('is not fetched when its value is unknown', async () => {
    federation.subgraphs.users.misbehave((response) => respondJson(response, 'no', 500));

    const { data, errors } = await federation.run('{ featured { id favourite { id price } } }');

    expect(data).toEqual({ featured: { id: 'u2', favourite: { id: 'p9', price: null } } });
    expect(errors).toMatchObject([{ code: 'SUBREQUEST_HTTP_ERROR', subgraph: 'users' }]);
    expect(requestedWith()).toEqual([[]]);
  });

  it('has errors of its field at the position of each object', async () => {
    federation.subgraphs.shop.misbehave((response, { body: { variables = {} } }) =>
      Object.values(variables).includes('SEK')
        ? respondJson(response, {
            errors: [{ message: 'no', path: ['_entities', 0, 'favourite'] }],
            data: { _entities: [null] },
          })
        : respondJson(response, {
            data: {
              _entities: (variables.representations ?? []).map(() => ({ favourite: { price: 'ok' } })),
            },
          }),
    );

    const { data, errors } = await federation.run('{ users { favourite { price } } }');

    const fine = { favourite: { price: 'ok' } };
    expect(data).toEqual({ users: [fine, { favourite: null }, fine, fine] });
    expect(errors).toMatchObject([{ message: 'no', path: ['users', 1, 'favourite'] }]);
  });
});

describe('loadSupergraph', () => {
  it('refuses a context whose types have a field both with arguments and without', () => {
    const link =
      'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@context", "@fromContext"])';
    const sdl = composeSdl([
      {
        name: 'shop',
        routingUrl: 'http://shop',
        sdl: `${link}
          type Query { one: One  other: Other }
          type One @key(fields: "id") @context(name: "any") { id: ID!  unit(short: Boolean): String  product: Product }
          type Other @key(fields: "id") @context(name: "any") { id: ID!  unit: String  product: Product }
          type Product @key(fields: "id") {
            id: ID!
            weight(unit: String @fromContext(field: "$any { unit }")): Int
          }
        `,
      },
    ]);

    expect(() => loadSupergraph(sdl)).toThrow(
      'Cannot load the supergraph: @fromContext of Product.weight selects a field that has arguments in some types',
    );
  });
});

it.each(executors)(
  'A type without a context has its fields beside one with a context: %s',
  async (_name, create) => {
    const federation = await startFederation(
      {
        home: {
          sdl: `
          type Query { things: [Thing!]! }
          union Thing = User | Tag
          type User @key(fields: "id") { id: ID!  name: String }
          type Tag @key(fields: "id") { id: ID! }
        `,
          resolvers: {
            Query: {
              things: () => [
                { __typename: 'Tag', id: 't1' },
                { __typename: 'User', id: 'u1', name: 'Ada' },
              ],
            },
          },
        },
        shop: {
          sdl: `
          type User @key(fields: "id") @context(name: "holder") {
            id: ID!  name: String @external  tickets: [Ticket!]!
          }
          type Ticket @key(fields: "id") {
            id: ID!  worth(name: String @fromContext(field: "$holder { name }")): String
          }
          type Tag @key(fields: "id") { id: ID!  tone: Int }
        `,
          resolvers: {
            User: { tickets: () => [{ id: 'k1' }] },
            Ticket: { worth: (_ticket: unknown, { name }: { name: string }) => `5 to ${name}` },
            Tag: { tone: () => 4 },
          },
        },
      },
      { create },
    );
    const result = await federation.run(
      '{ things { ... on User { tickets { worth } } ... on Tag { tone } } }',
    );
    await federation.close();
    expect(result).toEqual({
      data: { things: [{ tone: 4 }, { tickets: [{ worth: '5 to Ada' }] }] },
      errors: [],
    });
  },
);
