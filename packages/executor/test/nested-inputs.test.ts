// Fields with `@requires` of entities below others in one fetch. Apollo's plans nest some of them without their inputs.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { Federation } from './support/federation.ts';
import { startFederation } from './support/federation.ts';

interface Parcel {
  readonly id: string;
  readonly weight?: number;
  readonly size?: number;
  readonly postage?: number;
}

const weightOf = ({ id }: Parcel): number => Number(id) + 10;

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

const definitions = {
  shop: {
    sdl: 'type Query { parcels: [Parcel!]! } type Parcel @key(fields: "id") { id: ID! }',
    resolvers: { Query: { parcels: () => [{ id: '1' }, { id: '2' }] } },
  },
  depot: {
    sdl: `
      type Parcel @key(fields: "id") {
        id: ID!
        weight: Int! @shareable
        size: Int @external
        postage: Int @requires(fields: "size")
      }
      type Mutation { weigh: Parcel }
    `,
    resolvers: {
      Parcel: { weight: weightOf, postage: computed('size') },
      Mutation: { weigh: () => called('weigh', '1') },
    },
  },
  carrier: {
    sdl: `
      type Query { sent: [Parcel!]! item: Item items: [Item!]! }
      type Mutation { send: Parcel }
      union Item = Parcel | Letter
      type Letter { text: String next: Parcel weighed: Parcel @provides(fields: "weight") }
      type Parcel @key(fields: "id") {
        id: ID!
        weight: Int! @external
        size: Int @requires(fields: "weight")
        postage: Int @external
        total: Int @requires(fields: "postage")
        next: Parcel
        weighed: Parcel @provides(fields: "weight")
      }
    `,
    resolvers: {
      Query: {
        sent: () => [{ id: '1' }],
        item: () => ({ __typename: 'Parcel', id: '1' }),
        items: () => [
          { __typename: 'Parcel', id: '1' },
          { __typename: 'Letter', next: { id: '5' }, weighed: { id: '6', weight: 16 } },
        ],
      },
      Mutation: { send: () => called('send', '1') },
      Parcel: {
        size: computed('weight'),
        total: computed('postage'),
        next: ({ id }: Parcel) => ({ id: `${Number(id) + 1}` }),
        weighed: ({ id }: Parcel) => ({ id, weight: weightOf({ id }) }),
      },
    },
  },
};

let federation: Federation<keyof typeof definitions>;

beforeAll(async () => {
  federation = await startFederation(definitions);
});

afterAll(() => federation.close());

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
      'under an alias',
      '{ sent { all: total size: id weight: size } }',
      'sent',
      [{ all: 11_000, size: '1', weight: 110 }],
    ],
  ])('%s: %s', async (_where, text, field, expected) => {
    expect(await federation.run(text)).toEqual({ data: { [field]: expected }, errors: [] });
  });
});

it('An input that the field above provides is not fetched again', async () => {
  federation.subgraphs.depot.reset();

  const answer = await federation.run('{ sent { weighed { size } } }');

  expect(answer).toEqual({ data: { sent: [{ weighed: { size: 110 } }] }, errors: [] });
  expect(federation.subgraphs.depot.received).toEqual([]);
});

it('A mutation has nested inputs, too, and its root fields run in order', async () => {
  const answer = await federation.run(
    'mutation { one: send { total } other: send { next { total } } weigh { id } last: send { size } }',
  );

  expect(answer).toEqual({
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
