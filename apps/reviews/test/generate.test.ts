import { describe, expect, it } from '@jest/globals';
import { startSubgraph, useStarted } from '@meridian/subgraph/test-support';
import { runScript } from '@meridian/testing';

import { createApp } from '../src/app.ts';

describe('The generator of reviews', () => {
  const reviews = useStarted(() =>
    startSubgraph({ createApp, migrations: new URL('../migrations/', import.meta.url) }),
  );

  const read = (sql: string) =>
    reviews.database.asTenant('big', reviews.database.knex.raw(sql), { readOnly: true });

  async function generate(total: number): Promise<string[]> {
    const { stdout, stderr } = await runScript(new URL('../src/generate.ts', import.meta.url), {
      DATABASE_URL: reviews.adminUrl,
      GENERATE_TENANT: 'big',
      GENERATE_PRODUCTS: '7',
      GENERATE_REVIEWS: `${total}`,
      GENERATE_ORDERS: '0',
    });
    expect(stderr).toBe('');
    return stdout.trimEnd().split('\n');
  }

  it('resumes where it stopped, and counts each review once in the rating of its product', async () => {
    expect(await generate(10_001)).toEqual(['seed 10000 10001', 'seed 10001 10001']);
    expect(await generate(10_003)).toEqual(['seed 10000 10003', 'seed 10003 10003']);

    const counted = await read(
      `select product_id, review_count, rating_sum::integer from product_ratings where tenant_id = 'big' order by product_id`,
    );
    const actual = await read(
      `select product_id, count(*)::integer as review_count, sum(rating)::integer as rating_sum
       from reviews where tenant_id = 'big' group by product_id order by product_id`,
    );
    expect(actual).toHaveLength(7);
    expect(counted).toEqual(actual);
    expect(await read(`select count(*)::integer from reviews where tenant_id = 'big'`)).toEqual([
      { count: 10_003 },
    ]);
  });
});
