import { describe, expect, it } from '@jest/globals';
import { createIdentifier } from '@meridian/subgraph';
import { startSubgraph, useStarted } from '@meridian/subgraph/test-support';
import { eventually } from '@meridian/testing';

import { createApp } from '../src/app.ts';

describe('Subscription.reviewAdded', () => {
  const reviews = useStarted(() =>
    startSubgraph({ createApp, migrations: new URL('../migrations/', import.meta.url) }),
  );

  const add = (productId: string, body: string, who = {}) =>
    reviews.ask(
      'mutation Add($productId: ID!, $body: String!) { addReview(productId: $productId, rating: 4, body: $body) { id } }',
      { productId, body },
      who,
    );
  const follow = (productId: string, extensions = {}) =>
    reviews.subscribe({
      query:
        'subscription Added($productId: ID!) { reviewAdded(productId: $productId) { body product { id reviews { body } } } }',
      variables: { productId },
      extensions,
    });
  const bodies = ({ results }: Awaited<ReturnType<typeof follow>>) =>
    results.map(({ data }) => (data?.['reviewAdded'] as { body: string } | undefined)?.body);

  it('shows each review of the product, of the tenant alone, and goes on after a cursor', async () => {
    const [lamp, kettle] = [createIdentifier(), createIdentifier()];
    const stream = await follow(lamp);
    // A review may come before the stream has begun: the first that it shows is the start of the test.
    await eventually(async () => {
      await add(lamp, 'first');
      expect(stream.results.length).toBeGreaterThan(0);
    });
    const before = bodies(stream).length;
    const cursor = stream.results[0]?.extensions?.cursor;
    await add(kettle, 'of another product');
    await add(lamp, 'of another tenant', { tenant: 'globex' });
    await add(lamp, 'second');
    await eventually(() => expect(bodies(stream)).toContain('second'));
    expect(new Set(bodies(stream))).toEqual(new Set(['first', 'second']));
    // Loaders are new for each event.
    expect(stream.results.at(-1)?.data).toMatchObject({
      reviewAdded: { product: { id: lamp, reviews: expect.arrayContaining([{ body: 'second' }]) } },
    });
    stream.leave();

    await add(lamp, 'third');
    const again = await follow(lamp, { resumeAfter: cursor });
    await eventually(() => expect(bodies(again)).toContain('third'));
    expect(bodies(again).slice(-2)).toEqual(['second', 'third']);
    expect(before).toBeGreaterThan(0);
    again.leave();
  });
});
