import { setImmediate } from 'node:timers/promises';

import { expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';

import { watchEventLoop } from '../src/watch-event-loop.ts';

it('watchEventLoop sees a loop that is always late, and that it no longer is', async () => {
  const watch = watchEventLoop();
  await eventually(async () => {
    blockFor(60);
    await setImmediate();
    expect(watch.delayMs()).toBeGreaterThan(20);
  });
  await eventually(() => expect(watch.delayMs()).toBeLessThan(20));
  watch.close();
});

function blockFor(milliseconds: number): void {
  const endMs = performance.now() + milliseconds;
  while (performance.now() < endMs) {
    // Nothing else gets to run.
  }
}
