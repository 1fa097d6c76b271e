// The queue alone, with a clock of its own: the turns of a tenant that asks for much beside one that asks for little.
import { beforeEach, describe, expect, it } from '@jest/globals';

import type { FairQueue } from '../src/fair-queue.ts';
import { createFairQueue } from '../src/fair-queue.ts';

describe('A fair queue of 10, of which a party may have 8', () => {
  let nowMs: number;
  let queue: FairQueue;
  let begun: string[];
  beforeEach(() => {
    nowMs = 0;
    queue = createFairQueue(10, 8, () => nowMs);
    begun = [];
  });

  async function ask(party: string, times = 1): Promise<void> {
    for (let count = 0; count < times; count += 1) {
      void queue.take(party).then(() => begun.push(party));
    }
    await settled();
  }

  async function release(party: string, times = 1): Promise<void> {
    for (let count = 0; count < times; count += 1) {
      queue.release(party);
      await settled();
    }
  }

  /** The turns of a party that have begun since this was last asked. */
  function turnsOf(party: string): number {
    const count = begun.filter((one) => one === party).length;
    begun = begun.filter((one) => one !== party);
    return count;
  }

  it('gives a party that is alone all that it may have', async () => {
    await ask('noisy', 40);
    expect(turnsOf('noisy')).toBe(8);
    await release('noisy', 5);
    expect(turnsOf('noisy')).toBe(5);
  });

  it('gives a party one more than others have, while one of them is active', async () => {
    await ask('noisy', 40);
    await ask('quiet');
    expect(turnsOf('quiet')).toBe(1);
    expect(turnsOf('noisy')).toBe(8);

    await release('quiet');
    await release('noisy', 7);
    expect(turnsOf('noisy')).toBe(0);
    await release('noisy');
    expect(turnsOf('noisy')).toBe(1);
    await ask('quiet', 2);
    expect(turnsOf('quiet')).toBe(2);
    await release('noisy');
    expect(turnsOf('noisy')).toBe(3);
  });

  it('gives a party all that it may have again, a second after others have asked', async () => {
    await ask('quiet');
    await release('quiet');
    await ask('noisy', 40);
    expect(turnsOf('noisy')).toBe(1);
    nowMs += 1001;
    await release('noisy');
    expect(turnsOf('noisy')).toBe(8);
  });

  it('shares all of them between two parties that ask for much', async () => {
    await ask('one', 40);
    await ask('other', 40);
    expect([turnsOf('one'), turnsOf('other')]).toEqual([8, 2]);
    await release('one', 8);
    expect([turnsOf('one'), turnsOf('other')]).toEqual([4, 4]);
    await release('other', 6);
    expect([turnsOf('one'), turnsOf('other')]).toEqual([3, 3]);
  });
});

/** Every promise that can settle has settled. */
async function settled(): Promise<void> {
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
}
