import { expect, it } from '@jest/globals';

import { startFederation } from './support/federation.ts';

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

  const answer = await federation.run('{ parcels { price } }');
  await federation.close();

  expect(answer).toEqual({ data: { parcels: [{ price: 30 }] }, errors: [] });
});
