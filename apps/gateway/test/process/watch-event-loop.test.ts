import { setImmediate } from 'node:timers/promises';

import { expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';

import { watchEventLoop } from '../../src/process/watch-event-loop.ts';

/** Later than a loop is for want of a processor. */
const lateMs = 100;

it('watchEventLoop reports a loop that is always late, and that it recovered', async () => {
  const watch = watchEventLoop();
  await eventually(async () => {
    blockFor(4 * lateMs);
    await setImmediate();
    expect(watch.delayMs()).toBeGreaterThan(lateMs);
  });
  await eventually(() => expect(watch.delayMs()).toBeLessThan(lateMs));
  watch.close();
});

function blockFor(milliseconds: number): void {
  const endMs = performance.now() + milliseconds;
  while (performance.now() < endMs) {
    // Nothing else gets to run.
  }
}
