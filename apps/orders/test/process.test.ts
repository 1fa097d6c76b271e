import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startDemoApp } from '@meridian/subgraph/test-support';
import type { DemoApp } from '@meridian/subgraph/test-support';

describe('The orders process', () => {
  let app: DemoApp;
  beforeAll(async () => {
    app = await startDemoApp({
      main: new URL('../src/main.ts', import.meta.url),
      seed: new URL('../src/seed.ts', import.meta.url),
      migrations: new URL('../migrations/', import.meta.url),
      serviceRole: 'meridian_orders',
    });
  });
  afterAll(() => app.close());

  it('is seeded with progress lines, and again without a change', async () => {
    expect(app.seedRuns[0]).toEqual(['seed 60 320', 'seed 160 320', 'seed 220 320', 'seed 320 320']);
    expect(app.seedRuns[1]).toEqual(app.seedRuns[0]);
    const { data } = await app.ask('{ orders(first: 100) { status lineItems { quantity } } }');
    expect(data?.['orders']).toHaveLength(100);
  });

  it('becomes ready, and exits 0 when it is stopped', async () => {
    expect((await fetch(`${app.adminUrl}/readyz`)).status).toBe(200);
    expect(await app.stop()).toBe(0);
  });
});
