import { describe, expect, it } from '@jest/globals';

import { runEvents } from '../../../src/soak/events/run-events.ts';
import type { SoakEvent } from '../../../src/soak/events/soak-events.ts';

const event = (name: string, run = () => Promise.resolve()): SoakEvent => ({ name, run });

function run(recurring: readonly SoakEvent[], signal = new AbortController().signal) {
  return runEvents({
    recurring,
    once: event('restart'),
    seconds: 0,
    startedMs: performance.now(),
    calmMs: 1,
    say: () => undefined,
    signal,
  });
}

describe('The events of a soak', () => {
  it('all happen, however short the run is, and the single ones once', async () => {
    const past = await run([event('one'), event('two'), event('three')]);
    expect(past.map(({ name }) => name)).toEqual(['restart', 'one', 'two', 'three']);
  });

  it('continue after one from which the stack does not recover, which is reported', async () => {
    const past = await run([event('bad', () => Promise.reject(new Error('not ready'))), event('good')]);
    expect(past.find(({ name }) => name === 'bad')?.fault).toBe('not ready');
    expect(past.find(({ name }) => name === 'good')?.fault).toBeUndefined();
  });

  it('are over when the run is stopped', async () => {
    await expect(run([event('one')], AbortSignal.abort())).resolves.toEqual([]);
  });
});
