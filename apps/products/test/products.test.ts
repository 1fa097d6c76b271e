import { beforeAll, describe, expect, it } from '@jest/globals';
import { demoProducts } from '@meridian/demo-data';
import { createEventStore } from '@meridian/events';
import { startSubgraph, useStarted } from '@meridian/subgraph/test-support';

import { createApp } from '../src/app.ts';
import { createProductStore } from '../src/store/product-store.ts';

const acme = demoProducts('acme').slice(0, 120);
const globex = demoProducts('globex').slice(0, 5);

/** A product as a query that selects all fields shows it. */
const shown = ({ id, name, priceMinorUnits }: (typeof acme)[number]) => ({ id, name, priceMinorUnits });

describe('The products subgraph:', () => {
  const products = useStarted(() =>
    startSubgraph({ createApp, migrations: new URL('../migrations/', import.meta.url) }),
  );
  beforeAll(async () => {
    const store = createProductStore(products.database);
    await store.insertMany('acme', acme.toReversed());
    await store.insertMany('globex', globex);
  });

  describe('Query.product', () => {
    const document = 'query Product($id: ID!) { product(id: $id) { id name priceMinorUnits } }';

    it('finds a product of the tenant', async () => {
      const [product] = acme;
      expect(await products.ask(document, { id: product?.id })).toEqual({
        data: { product: product && shown(product) },
      });
    });

    it.each([
      ['another tenant’s product', globex[0]?.id],
      ['a product that does not exist', '01900000-0000-7000-8000-000000000000'],
      ['a malformed identifier', 'p1'],
      ['a text that PostgreSQL could not hold', '\0'],
    ])('is null without an error for %s', async (_what, id) => {
      expect(await products.ask(document, { id })).toEqual({ data: { product: null } });
    });

    it('reads siblings with one statement', async () => {
      const [a, b] = acme;
      const siblings = `{ a: product(id: "${a?.id}") { id } b: product(id: "${b?.id}") { id } }`;
      expect(await products.counting(() => products.ask(siblings))).toMatchObject({ statements: 1 });
    });
  });

  describe('Query.topProducts', () => {
    it('shows the ten best-selling products of the tenant, best first', async () => {
      expect(await products.ask('{ topProducts { id name priceMinorUnits } }')).toEqual({
        data: { topProducts: acme.slice(0, 10).map(shown) },
      });
      expect(
        await products.ask('{ topProducts { id name priceMinorUnits } }', {}, { tenant: 'globex' }),
      ).toEqual({
        data: { topProducts: globex.map(shown) },
      });
    });

    it.each([0, 1, 100])('shows as many as first says: %i', async (first) => {
      const { data } = await products.ask('query Top($first: Int!) { topProducts(first: $first) { id } }', {
        first,
      });
      expect(data?.['topProducts']).toEqual(acme.slice(0, first).map(({ id }) => ({ id })));
    });

    it.each([-1, 101])('refuses a page of %i', async (first) => {
      const { errors } = await products.ask('query Top($first: Int!) { topProducts(first: $first) { id } }', {
        first,
      });
      expect(errors).toMatchObject([{ extensions: { code: 'PAGE_SIZE_LIMIT' } }]);
    });
  });

  it.each(['products'])(
    "%s uses statements that show no other tenant's rows even without a tenant condition",
    async (table) => {
      expect(await products.tenantsSeenIn(table)).toEqual([]);
      expect(await products.tenantsSeenIn(table, 'acme')).toEqual(['acme']);
      expect(await products.tenantsSeenIn(table, 'globex')).toEqual(['globex']);
    },
  );

  describe('_entities', () => {
    it('answers in the order of the representations, with null for a missing product, with one statement', async () => {
      const keys = [acme[7]?.id, globex[0]?.id, acme[2]?.id, 'p1', acme[7]?.id].map((id) => ({ id }));
      const { response, statements } = await products.counting(() =>
        products.entities('Product', keys, '{ id }'),
      );
      expect(response).toEqual({ data: { _entities: [keys[0], null, keys[2], null, keys[4]] } });
      expect(statements).toBe(1);
    });

    it('answers the weight of a product for the subgraphs that ship it', async () => {
      const [product] = acme;
      expect(await products.entities('Product', [{ id: product?.id }], '{ weightGrams }')).toEqual({
        data: { _entities: [{ weightGrams: product?.weightGrams }] },
      });
    });
  });

  describe('Mutation.setProductPrice', () => {
    const document = `mutation SetProductPrice($id: ID!, $priceMinorUnits: Int!) {
      setProductPrice(id: $id, priceMinorUnits: $priceMinorUnits) { id name priceMinorUnits }
    }`;
    const product = { ...acme[50] };

    it.each([0, 4711, 2_147_483_647])('sets the price %i, which is read back', async (priceMinorUnits) => {
      const { data, errors } = await products.ask(document, { id: product.id, priceMinorUnits });
      const expected = { id: product.id, name: product.name, priceMinorUnits };
      expect({ data, errors }).toEqual({ data: { setProductPrice: expected } });
      expect(await products.entities('Product', [{ id: product.id }], '{ id name priceMinorUnits }')).toEqual(
        {
          data: { _entities: [expected] },
        },
      );
    });

    it('refuses a price below zero', async () => {
      const { errors } = await products.ask(document, { id: product.id, priceMinorUnits: -1 });
      expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    });

    it.each([
      ['another tenant’s product', globex[0]?.id],
      ['a product that does not exist', 'p1'],
    ])('answers NOT_FOUND for %s, which stays as it is', async (_what, id) => {
      const { data, errors } = await products.ask(document, { id, priceMinorUnits: 1 });
      expect(data).toEqual({ setProductPrice: null });
      expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
      const { data: read } = await products.ask(
        '{ topProducts { priceMinorUnits } }',
        {},
        { tenant: 'globex' },
      );
      expect(read?.['topProducts']).not.toContainEqual({ priceMinorUnits: 1 });
    });

    it('logs a new price with its actor, in the order of the changes; the same price again is not one', async () => {
      const id = acme[51]?.id;
      for (const priceMinorUnits of [7, 7, 2_147_483_647]) {
        await products.ask(document, { id, priceMinorUnits }, { subject: 'bob' });
      }
      const { events } = await createEventStore(products.database).list(
        'acme',
        {
          after: { position: 0n, period: Math.floor(Date.now() / 864_000_000) },
          limit: 100,
          type: 'product.price-changed',
          subject: `/products/${id}`,
        },
        AbortSignal.timeout(10_000),
      );
      expect(events.map(({ actor, data }) => [actor?.subject, JSON.parse(data) as unknown])).toEqual([
        ['bob', { id, name: acme[51]?.name, price_minor_units: 7 }],
        ['bob', { id, name: acme[51]?.name, price_minor_units: 2_147_483_647 }],
      ]);
    });

    it('needs the scope products:write', async () => {
      const { data, errors } = await products.ask(
        document,
        { id: product.id, priceMinorUnits: 1 },
        { scopes: ['orders:write', 'reviews:write'] },
      );
      expect(data).toEqual({ setProductPrice: null });
      expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' } }]);
    });
  });
});
