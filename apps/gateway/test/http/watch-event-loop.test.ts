import { setTimeout } from 'node:timers';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';

import { expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';

import { watchEventLoop } from '../../src/http/watch-event-loop.ts';

/** Later than a loop is for want of a processor. */
const lateMs = 100;

it('watchEventLoop reports a loop that is always late, and that it recovered', async () => {
  const watch = watchEventLoop();
  while (watch.delayMs() <= lateMs) {
    blockFor(4 * lateMs);
    await setImmediate();
  }
  await eventually(() => expect(watch.delayMs()).toBeLessThan(lateMs));
  watch.close();
});

it('watchEventLoop does not report one long pause', async () => {
  const pauseMs = 1500;
  const watch = watchEventLoop();
  // The start of a half second: the pause is almost all that it holds.
  await new Promise<void>((done) => {
    setTimeout(() => {
      blockFor(pauseMs);
      done();
    }, 505);
  });
  // Longer than the two half seconds that the pause could be in.
  const endMs = performance.now() + pauseMs;
  while (performance.now() < endMs) {
    await delay(10);
    expect(watch.delayMs()).toBeLessThan(pauseMs / 2);
  }
  watch.close();
});

function blockFor(milliseconds: number): void {
  const endMs = performance.now() + milliseconds;
  while (performance.now() < endMs) {
    // Nothing else gets to run.
  }
}
