import { expect, it } from '@jest/globals';

import { caseCount } from '@meridian/testing';

import { soak } from './soak.ts';

const mebibyte = 1_048_576;

it('The executor returns to its initial heap, buffers, sockets, timers and listeners after thousands of requests with timeouts, errors and hung-up clients', async () => {
  const { before, after, outcomes } = await soak({ requests: caseCount(10_000) });

  expect(outcomes).toEqual({
    clean: expect.any(Number),
    'with errors': expect.any(Number),
    'hung up': expect.any(Number),
  });
  expect(after).toMatchObject({ sockets: 0, listeners: 0 });
  // jest has a few of its own.
  expect(after.timers - before.timers).toBeLessThan(5);
  expect(after.heapBytes - before.heapBytes).toBeLessThan(8 * mebibyte);
  expect(after.bufferBytes - before.bufferBytes).toBeLessThan(8 * mebibyte);
});
