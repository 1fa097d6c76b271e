import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createIdentifier } from '@meridian/subgraph';
import { startSubgraph } from '@meridian/subgraph/test-support';
import type { StartedSubgraph } from '@meridian/subgraph/test-support';
import { eventually } from '@meridian/testing';

import { createApp } from '../src/app.ts';
import { createSparePartStore } from '../src/store/spare-part-store.ts';

// <entity>
const productId = createIdentifier();
// </entity>
const sparePartNamed = (name: string) => ({
  id: createIdentifier(),
  name,
  // <entity>
  productId,
  // </entity>
});

describe('The template subgraph:', () => {
  const [first, second, foreign] = [
    sparePartNamed('First'),
    sparePartNamed('Second'),
    sparePartNamed('Foreign'),
  ];
  let spareParts: StartedSubgraph;
  beforeAll(async () => {
    spareParts = await startSubgraph({ createApp, migrations: new URL('../migrations/', import.meta.url) });
    const store = createSparePartStore(spareParts.database);
    await store.insertMany('acme', [second, first]);
    await store.insertMany('globex', [foreign]);
  });
  afterAll(() => spareParts.stop());

  describe('Query.sparePart', () => {
    const document = 'query ($id: ID!) { sparePart(id: $id) { id name } }';

    it('gives a spare part of the tenant', async () => {
      const { id, name } = first;
      expect(await spareParts.ask(document, { id })).toEqual({ data: { sparePart: { id, name } } });
    });

    it.each([
      ['another tenant’s identifier', foreign.id],
      ['an absent one', createIdentifier()],
      ['one that is not a UUID', 'x'],
    ])('is null without an error for %s', async (_, id) => {
      expect(await spareParts.ask(document, { id })).toEqual({ data: { sparePart: null } });
    });
  });

  describe('Query.spareParts', () => {
    it.each(['spareParts', 'spareParts(first: null)', 'spareParts(first: 100)'])(
      '%s gives the spare parts of the tenant by name',
      async (field) => {
        expect(await spareParts.ask(`{ page: ${field} { name } }`)).toEqual({
          data: { page: [{ name: 'First' }, { name: 'Second' }] },
        });
      },
    );

    it('gives so many as `first` says, and refuses more than 100', async () => {
      expect(await spareParts.ask('{ spareParts(first: 1) { name } }')).toEqual({
        data: { spareParts: [{ name: 'First' }] },
      });
      const { errors } = await spareParts.ask('{ spareParts(first: 101) { name } }');
      expect(errors).toMatchObject([{ extensions: { code: 'PAGE_SIZE_LIMIT' } }]);
    });
  });
  // <entity>

  describe('Product.spareParts', () => {
    it('gives pages of any sizes of several products with one statement', async () => {
      const keys = [{ id: productId }, { id: createIdentifier() }, { id: 'x' }];
      const { response, statements } = await spareParts.counting(() =>
        spareParts.entities(
          'Product',
          keys,
          '{ one: spareParts(first: 1) { name } all: spareParts { name product { id } } }',
        ),
      );
      const product = { id: productId };
      expect(response).toEqual({
        data: {
          _entities: [
            {
              one: [{ name: 'First' }],
              all: [
                { name: 'First', product },
                { name: 'Second', product },
              ],
            },
            { one: [], all: [] },
            { one: [], all: [] },
          ],
        },
      });
      expect(statements).toBe(1);
    });
  });
  // </entity>

  it.each(['spare_parts'])(
    "%s uses statements that show no other tenant's rows even without a tenant condition",
    async (table) => {
      expect(await spareParts.tenantsSeenIn(table)).toEqual([]);
      expect(await spareParts.tenantsSeenIn(table, 'acme')).toEqual(['acme']);
      expect(await spareParts.tenantsSeenIn(table, 'globex')).toEqual(['globex']);
    },
  );

  it('_entities answers in the order of the representations, with null for a missing spare part, with one statement', async () => {
    const keys = [second, foreign, first].map(({ id }) => ({ id }));
    const { response, statements } = await spareParts.counting(() =>
      spareParts.entities('SparePart', keys, '{ name }'),
    );
    expect(response).toEqual({ data: { _entities: [{ name: 'Second' }, null, { name: 'First' }] } });
    expect(statements).toBe(1);
  });

  it('Subscription.sparePartAdded shows what is added for the tenant, and goes on after a cursor', async () => {
    const follow = (extensions = {}) =>
      spareParts.subscribe({ query: 'subscription { sparePartAdded { name } }', extensions });
    const text = `mutation ($name: String!) {
      addSparePart(
        name: $name
        # <entity>
        productId: "${productId}"
        # </entity>
      ) { name }
    }`;
    const add = (name: string, tenant = 'acme') =>
      spareParts.ask(text, { name }, { tenant, scopes: ['spare-parts:write'] });
    const stream = await follow();
    // One may come before the stream has begun.
    await eventually(async () => {
      await add('Third');
      expect(stream.results.length).toBeGreaterThan(0);
    });
    stream.leave();
    await add('Of another tenant', 'globex');
    await add('Fourth');
    const again = await follow({ resumeAfter: stream.results.at(-1)?.extensions?.cursor });
    await eventually(() =>
      expect(again.results.at(-1)).toEqual({
        data: { sparePartAdded: { name: 'Fourth' } },
        extensions: { cursor: expect.any(String) },
      }),
    );
    again.leave();
    expect(JSON.stringify(again.results)).not.toContain('another tenant');
  });
});
