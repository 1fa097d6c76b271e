// Fields with `@requires` of entities below others in one fetch. Apollo's plans nest some of them without their inputs.
import { describe, expect, it } from '@jest/globals';

import { startFederation, useFederation } from '../support/federation.ts';

interface Parcel {
  readonly id: string;
  readonly code?: string;
  readonly weight?: number;
  readonly size?: number;
  readonly postage?: number;
  readonly to?: string;
}

const weightOf = ({ id, code = '' }: Parcel): number => Number(id ?? code.slice(1)) + 10;

const codeOf = ({ id }: Parcel): string => `c${id}`;

/** Computes a field from the input that was sent: an input that was not sent fails. */
const computed =
  (input: 'weight' | 'size' | 'postage') =>
  (parcel: Parcel): number => {
    const value = parcel[input];
    if (value === undefined) {
      throw new Error(`"${input}" is missing`);
    }
    return value * 10;
  };

/** The mutations, in the order in which they ran. */
const calls: string[] = [];

const called = (name: string, id: string): Parcel => {
  calls.push(name);
  return { id };
};

const mails = [
  { __typename: 'Parcel', id: '1' },
  {
    __typename: 'Letter',
    next: { id: '5' },
    weighed: { id: '6', weight: 16 },
    reply: { next: { id: '8' } },
  },
];

const definitions = {
  shop: {
    sdl: `
      type Query { parcels: [Parcel!]! }
      type Parcel @key(fields: "id") {
        id: ID!
        label: String
        to: String @external
        note: String @requires(fields: "to")
      }
    `,
    resolvers: {
      Query: { parcels: () => [{ id: '1' }, { id: '2' }] },
      Parcel: {
        label: ({ id }: Parcel) => `Parcel ${id}`,
        note: ({ to }: Parcel) => `For ${to}`,
      },
    },
  },
  post: {
    sdl: `
      type Parcel @key(fields: "code") {
        code: ID!
        weight: Int! @external
        stamp: String @requires(fields: "weight")
      }
    `,
    resolvers: { Parcel: { stamp: ({ weight }: Parcel) => `${weight} g` } },
  },
  depot: {
    sdl: `
      type Parcel @key(fields: "id") @key(fields: "code") {
        id: ID!
        code: ID!
        weight: Int! @shareable
        size: Int @external
        postage: Int @requires(fields: "size")
      }
      type Mutation { weigh: Parcel }
    `,
    resolvers: {
      Parcel: { code: codeOf, weight: weightOf, postage: computed('size') },
      Mutation: { weigh: () => called('weigh', '1') },
    },
  },
  carrier: {
    sdl: `
      type Query { sent: [Parcel!]! item: Item items: [Item!]! mails: [Mail!]! }
      interface Mail { next: Parcel }
      type Mutation { send: Parcel }
      union Item = Parcel | Letter
      type Letter implements Mail { text: String reply: Letter next: Parcel weighed: Parcel @provides(fields: "weight") }
      type Parcel implements Mail @key(fields: "id") @key(fields: "code") {
        id: ID!
        code: ID!
        weight: Int! @external
        size: Int @requires(fields: "weight")
        postage: Int @external
        total: Int @requires(fields: "postage")
        to: String
        next: Parcel
        weighed: Parcel @provides(fields: "weight")
      }
    `,
    resolvers: {
      Query: {
        sent: () => [{ id: '1' }],
        item: () => ({ __typename: 'Parcel', id: '1' }),
        items: () => mails,
        mails: () => mails,
      },
      Mutation: { send: () => called('send', '1') },
      Parcel: {
        code: codeOf,
        size: computed('weight'),
        total: computed('postage'),
        to: ({ id }: Parcel) => id,
        next: ({ id }: Parcel) => ({ id: `${Number(id) + 1}` }),
        weighed: ({ id }: Parcel) => ({ id, weight: weightOf({ id }) }),
      },
    },
  },
};

const federation = useFederation(definitions);

describe('A field with @requires has its inputs', () => {
  it.each([
    [
      'below an entity',
      '{ parcels { next { total } } }',
      'parcels',
      [{ next: { total: 12_000 } }, { next: { total: 13_000 } }],
    ],
    ['below a root field', '{ sent { total } }', 'sent', [{ total: 11_000 }]],
    [
      'below an entity that needs the same fields',
      '{ sent { total next { weight postage total } } }',
      'sent',
      [{ total: 11_000, next: { weight: 12, postage: 1200, total: 12_000 } }],
    ],
    [
      'below two entities',
      '{ sent { next { next { total } } } }',
      'sent',
      [{ next: { next: { total: 13_000 } } }],
    ],
    ['below a member of a union', '{ item { ... on Parcel { total } } }', 'item', { total: 11_000 }],
    [
      'below members of a union that lead to the same type',
      '{ items { ... on Parcel { next { total } } ... on Letter { next { total } } } }',
      'items',
      [{ next: { total: 12_000 } }, { next: { total: 15_000 } }],
    ],
    [
      'below members of a union, for one of which some inputs are provided',
      '{ items { ... on Parcel { known: next { total } } ... on Letter { known: weighed { total } } } }',
      'items',
      [{ known: { total: 12_000 } }, { known: { total: 16_000 } }],
    ],
    [
      'below two members, for one of them by way of another object',
      '{ items { ... on Parcel { next { total } } ... on Letter { next { next { total } } } } }',
      'items',
      [{ next: { total: 12_000 } }, { next: { next: { total: 16_000 } } }],
    ],
    [
      'below one member of a union, with the same type below another',
      '{ items { ... on Parcel { next { label } } ... on Letter { next { note } } } }',
      'items',
      [{ next: { label: 'Parcel 2' } }, { next: { note: 'For 5' } }],
    ],
    [
      'below one member of a union, which is also selected without a fragment',
      '{ items { ... on Parcel { next { label } } ... on Letter { next { note } reply { next { note } } } } }',
      'items',
      [{ next: { label: 'Parcel 2' } }, { next: { note: 'For 5' }, reply: { next: { note: 'For 8' } } }],
    ],
    [
      'below one type of an interface, with other fields below all of them',
      '{ mails { next { label } ... on Letter { next { note } } } }',
      'mails',
      [{ next: { label: 'Parcel 2' } }, { next: { label: 'Parcel 5', note: 'For 5' } }],
    ],
    [
      'below all types of an interface, with its input selected below one of them',
      '{ mails { next { stamp } ... on Letter { next { weight } } } }',
      'mails',
      [{ next: { stamp: '12 g' } }, { next: { stamp: '15 g', weight: 15 } }],
    ],
    [
      'under an alias',
      '{ sent { all: total size: id weight: size } }',
      'sent',
      [{ all: 11_000, size: '1', weight: 110 }],
    ],
  ])('%s: %s', async (_where, text, field, expected) => {
    expect(await federation.dataOf(text)).toEqual({ [field]: expected });
  });
});

it('An input that the field above provides is not fetched again', async () => {
  federation.subgraphs.depot.reset();

  const result = await federation.run('{ sent { weighed { size } } }');

  expect(result).toEqual({ data: { sent: [{ weighed: { size: 110 } }] }, errors: [] });
  expect(federation.subgraphs.depot.received).toEqual([]);
});

it('Types that need the same inputs are fetched together', async () => {
  federation.subgraphs.shop.reset();

  const result = await federation.run('{ mails { next { note } ... on Letter { next { label } } } }');

  expect(result.data).toEqual({
    mails: [{ next: { note: 'For 2' } }, { next: { note: 'For 5', label: 'Parcel 5' } }],
  });
  expect(federation.subgraphs.shop.received).toHaveLength(1);
});

it('A mutation has nested inputs, too, and its root fields run in order', async () => {
  const result = await federation.run(
    'mutation { one: send { total } other: send { next { total } } weigh { id } last: send { size } }',
  );

  expect(result).toEqual({
    data: {
      one: { total: 11_000 },
      other: { next: { total: 12_000 } },
      weigh: { id: '1' },
      last: { size: 110 },
    },
    errors: [],
  });
  expect(calls).toEqual(['send', 'send', 'weigh', 'send']);
});

describe('Inputs that go back and forth between subgraphs', () => {
  it('are fetched where one subgraph requires a field with two arguments, and each part has its own inputs', async () => {
    const value = (name: string) => (sent: Readonly<Record<string, unknown>>) => {
      const { id: _id, __typename, ...inputs } = sent;
      return `${name}(${Object.values(inputs).join(' ')})`;
    };
    const rated = await startFederation({
      raters: {
        sdl: 'type Order @key(fields: "id") { id: ID!  rating(by: Int): Int }',
        resolvers: { Order: { rating: (_: unknown, { by }: { by: number }) => by } },
      },
      orders: {
        sdl: `
          type Query { order: Order }
          type Order @key(fields: "id") {
            id: ID!
            name: String
            rating(by: Int): Int @external
            first: String @external
            second: String @requires(fields: "rating(by: 1) first")
          }
        `,
        resolvers: {
          Query: { order: () => ({ id: '1' }) },
          Order: { name: () => 'n', second: value('second') },
        },
      },
      reports: {
        sdl: `
          type Order @key(fields: "id") {
            id: ID!
            name: String @external
            rating(by: Int): Int @external
            second: String @external
            first: String @requires(fields: "rating(by: 1)")
            third: String @requires(fields: "name rating(by: 0) second")
          }
        `,
        resolvers: { Order: { first: value('first'), third: value('third') } },
      },
    });
    expect(await rated.dataOf('{ order { first third } }')).toEqual({
      order: { first: 'first(1)', third: 'third(n 0 second(1 first(1)))' },
    });
    await rated.close();
  });

  it('are fetched where the subgraph of the objects looks none of them up', async () => {
    const sold = await startFederation({
      shop: {
        sdl: `
          type Query { user: User  priced: User @provides(fields: "price") }
          type User @key(fields: "id", resolvable: false) { id: ID!  price: Int @external }
        `,
        resolvers: { Query: { user: () => ({ id: '1' }), priced: () => ({ id: '1', price: 3 }) } },
      },
      needs: {
        sdl: `
          type User @key(fields: "id") {
            id: ID!
            price: Int @external
            need: String @requires(fields: "price")
          }
        `,
        resolvers: { User: { need: ({ price }: { price: number }) => `need(${price})` } },
      },
      prices: {
        sdl: `
          type User @key(fields: "serial") @key(fields: "id") {
            id: ID!
            serial: ID!
            price: Int @shareable
            need: String @external
            more: String @requires(fields: "need")
          }
        `,
        resolvers: {
          User: { serial: () => 's1', price: () => 3, more: ({ need }: { need: string }) => `more(${need})` },
        },
      },
    });
    expect(await sold.dataOf('{ user { more } }')).toEqual({ user: { more: 'more(need(3))' } });
    await sold.close();
  });
});
