import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startDemoApp } from '@meridian/subgraph/test-support';
import type { DemoApp } from '@meridian/subgraph/test-support';

describe('The template process', () => {
  let app: DemoApp;
  beforeAll(async () => {
    app = await startDemoApp({
      main: new URL('../src/main.ts', import.meta.url),
      seed: new URL('../src/seed.ts', import.meta.url),
      migrations: new URL('../migrations/', import.meta.url),
      serviceRole: 'meridian_template',
    });
  });
  afterAll(() => app.close());

  it('is seeded with progress lines, and again without a change', async () => {
    expect(app.seedRuns).toEqual([
      ['seed 200 400', 'seed 400 400'],
      ['seed 200 400', 'seed 400 400'],
    ]);
    expect(await app.ask('{ spareParts(first: 1) { name } }')).toEqual({
      data: { spareParts: [{ name: 'Spare part 1' }] },
    });
  });

  it('becomes ready, and exits 0 when it is stopped', async () => {
    expect((await fetch(`${app.adminUrl}/readyz`)).status).toBe(200);
    expect(await app.stop()).toBe(0);
  });
});
