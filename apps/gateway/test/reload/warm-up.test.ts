import { describe, expect, it } from '@jest/globals';

import { warmUp } from '../../src/graph/graph-warm-up.ts';

describe('warmUp', () => {
  it('runs one task after another', async () => {
    const order: string[] = [];
    const task = (name: string) => async (): Promise<void> => {
      order.push(`${name} begins`);
      await Promise.resolve();
      order.push(`${name} ends`);
    };
    await warmUp([task('a'), task('b')], { logger: { info: () => undefined } });
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('reports its progress at the start, every second, and at the end', async () => {
    const lines: unknown[] = [];
    let nowMs = 0;
    const slow = (): Promise<void> => {
      nowMs += 600;
      return Promise.resolve();
    };
    await warmUp([slow, slow, slow], {
      logger: { info: (line: unknown) => void lines.push(line) },
      now: () => nowMs,
    });
    expect(lines).toEqual([
      { done: 0, total: 3 },
      { done: 2, total: 3 },
      { done: 3, total: 3, durationMs: 1800 },
    ]);
  });

  it('lets other work run in between', async () => {
    let isOtherDone = false;
    setImmediate(() => {
      isOtherDone = true;
    });
    const seen: boolean[] = [];
    const look = (): Promise<void> => {
      seen.push(isOtherDone);
      return Promise.resolve();
    };
    await warmUp([look, look], { logger: { info: () => undefined } });
    expect(seen).toEqual([false, true]);
  });

  it('ends before the next task when its signal aborts', async () => {
    const stop = new AbortController();
    const done: string[] = [];
    const first = async (): Promise<void> => {
      done.push('first');
      stop.abort();
      await Promise.resolve();
    };
    const second = async (): Promise<void> => {
      done.push('second');
      await Promise.resolve();
    };
    await warmUp([first, second], { logger: { info: () => undefined }, signal: stop.signal });
    expect(done).toEqual(['first']);
  });

  it('reports nothing when there is nothing to do', async () => {
    const lines: unknown[] = [];
    await warmUp([], { logger: { info: (line: unknown) => void lines.push(line) } });
    expect(lines).toEqual([]);
  });
});
