// An unmodified urql: its `fetch` takes deferred parts, and server-sent events; its WebSockets are graphql-ws's.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';
import { Client, fetchExchange } from '@urql/core';

import { startStreamingShop } from './streaming-shop.ts';
import { useInSuite } from '../support/use-in-suite.ts';

describe('urql', () => {
  const shop = useInSuite(startStreamingShop);
  let client: Client;
  beforeAll(async () => {
    client = new Client({
      url: shop.gateway.url,
      preferGetMethod: false,
      exchanges: [fetchExchange],
      fetchSubscriptions: true,
    });
  });

  it('gets a deferred field in a later result', async () => {
    const results: unknown[] = [];
    const subscription = client
      .query('query A { product(id: "p1") { id ... @defer { name } } }', {})
      .subscribe(({ data, hasNext }) => {
        results.push({ data: structuredClone(data) as unknown, hasNext });
      });
    await eventually(() => expect(results.length).toBeGreaterThan(1));
    expect(results[0]).toMatchObject({ data: { product: { id: 'p1' } }, hasNext: true });
    expect(results.at(-1)).toMatchObject({
      data: { product: { id: 'p1', name: 'Product p1' } },
      hasNext: false,
    });
    subscription.unsubscribe();
  });

  it('gets the events of a subscription', async () => {
    const results: unknown[] = [];
    const subscription = client
      .subscription('subscription A { priceChanged(id: "p1") { price } }', {})
      .subscribe(({ data }) => void results.push(data));
    await eventually(() => expect(shop.feed.followers).toBe(1));
    shop.feed.push('p1', 4);
    await eventually(() => expect(results).toMatchObject([{ priceChanged: { price: 4 } }]));
    subscription.unsubscribe();
    await eventually(() => expect(shop.feed.followers).toBe(0));
  });

  it('gets the errors of a rejected subscription', async () => {
    const { error } = await client.subscription('subscription A { nothing }', {}).toPromise();
    expect(error?.graphQLErrors).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }]);
  });
});
