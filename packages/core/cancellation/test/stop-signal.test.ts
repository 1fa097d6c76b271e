import { describe, expect, it } from '@jest/globals';

import { StopController } from '../src/index.ts';
import type { StopSignal } from '../src/index.ts';

/** The same for both: the controller of a signal, as its tests need it. */
const controllers: readonly [
  name: string,
  create: () => { readonly signal: StopSignal; readonly abort: (reason: unknown) => void },
][] = [
  [
    'AbortController',
    () => {
      const controller = new AbortController();
      return { signal: controller.signal, abort: (reason) => controller.abort(reason) };
    },
  ],
  [
    'StopController',
    () => {
      const controller = new StopController();
      return { signal: controller, abort: (reason) => controller.abort(reason) };
    },
  ],
];

describe.each(controllers)('The signal of %s', (_name, create) => {
  it('has not aborted at first', () => {
    const { signal } = create();
    signal.throwIfAborted();
    expect([signal.aborted, signal.reason]).toEqual([false, undefined]);
  });

  it('aborts once, with the first reason', () => {
    const { signal, abort } = create();
    let calls = 0;
    signal.addEventListener('abort', () => (calls += 1));
    abort('first');
    abort('second');
    expect([signal.aborted, signal.reason, calls]).toEqual([true, 'first', 1]);
    expect(() => signal.throwIfAborted()).toThrow('first');
  });

  it('calls its listeners in order, without those that were removed', () => {
    const { signal, abort } = create();
    const calls: string[] = [];
    const listeners = ['a', 'b', 'c'].map((name) => () => void calls.push(name));
    listeners.forEach((listener) => signal.addEventListener('abort', listener));
    signal.removeEventListener('abort', listeners[1] ?? (() => {}));
    abort('now');
    expect(calls).toEqual(['a', 'c']);
  });

  it('lets a listener remove itself', () => {
    const { signal, abort } = create();
    const calls: string[] = [];
    const first = (): void => {
      calls.push('first');
      signal.removeEventListener('abort', first);
    };
    signal.addEventListener('abort', first);
    signal.addEventListener('abort', () => void calls.push('second'));
    abort('now');
    expect(calls).toEqual(['first', 'second']);
  });

  it('has listeners again after the only one was removed', () => {
    const { signal, abort } = create();
    const calls: string[] = [];
    const first = (): void => void calls.push('first');
    signal.addEventListener('abort', first);
    signal.removeEventListener('abort', first);
    signal.addEventListener('abort', () => void calls.push('second'));
    abort('now');
    expect(calls).toEqual(['second']);
  });
});
