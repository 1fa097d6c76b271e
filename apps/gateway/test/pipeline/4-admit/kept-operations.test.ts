import { describe, expect, it } from '@jest/globals';

import { startTestGateway } from '../../support/test-gateway.ts';

describe('Compiled operations', () => {
  it('are cached within a number of bytes, not only within their number', async () => {
    await using gateway = await startTestGateway({
      config: [
        'supergraph: { query_planning: { cache: { in_memory: { limit: 40 } } } }',
        'meridian: { limits: { max_document_length: 2000000 } }',
      ].join('\n'),
    });
    const kept = async (): Promise<number> =>
      Number(/^apollo_router_cache_size\{.*\} (\d+)$/m.exec(await gateway.metrics())?.[1]);
    for (const name of ['A', 'B', 'C']) {
      expect((await gateway.post({ query: `query ${name} { time }` })).status).toBe(200);
    }
    expect(await kept()).toBe(3);

    // Three of these take more than the 8 MiB that a cache of few operations has.
    const comment = `#${'x'.repeat(1_500_000)}\n`;
    for (const name of ['D', 'E', 'F']) {
      expect((await gateway.post({ query: `${comment}query ${name} { time }` })).status).toBe(200);
    }
    expect(await kept()).toBeLessThan(3);
  });
});
