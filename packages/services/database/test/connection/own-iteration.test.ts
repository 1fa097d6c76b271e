import { setImmediate as nextIteration } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';

import { createOwnIterations } from '../../src/connection/own-iteration.ts';

describe('Results that are handled in iterations of their own', () => {
  it('are handled one in each iteration of the event loop, in order', async () => {
    const ownIteration = createOwnIterations();
    const handled: number[] = [];
    const all = [0, 1, 2, 3].map(async (index) => {
      await ownIteration();
      handled.push(index);
    });
    for (let iteration = 1; iteration <= 8; iteration += 1) {
      const before = handled.length;
      await nextIteration();
      expect(handled.length - before).toBeLessThanOrEqual(1);
    }
    await Promise.all(all);
    expect(handled).toEqual([0, 1, 2, 3]);
  });
});
