import { describe, expect, it } from '@jest/globals';

import { faultsOf } from './check-history.ts';
import type { Operation } from './check-history.ts';

const initial = { etag: 'a', balance: 0 };
let clock = 0;

/** Operations of one client after another, unless a test says otherwise. */
const read = (etag: string, balance: number): Operation => ({ kind: 'read', etag, balance, ...tick() });
const write = (from: string, balance: number, to: string): Operation => ({
  kind: 'write',
  from,
  balance,
  outcome: to === 'refused' || to === 'unknown' ? to : { to },
  ...tick(),
});
function tick() {
  clock += 2;
  return { startMs: clock, endMs: clock + 1 };
}

describe('faultsOf', () => {
  it('accepts a chain with refused writes and reads in between', () => {
    const history = [
      read('a', 0),
      write('a', 1, 'b'),
      write('a', 2, 'refused'),
      read('b', 1),
      write('b', 3, 'c'),
      read('c', 3),
    ];
    expect(faultsOf(initial, history)).toEqual([]);
  });

  it('accepts a write of unknown outcome as a link, and its absence', () => {
    expect(faultsOf(initial, [write('a', 1, 'unknown'), read('b', 1), write('b', 2, 'c')])).toEqual([]);
    expect(faultsOf(initial, [write('a', 1, 'unknown'), read('a', 0), write('a', 2, 'c')])).toEqual([]);
  });

  it('catches a planted lost update: a store that writes without comparing', () => {
    const states = new Map([['a', 0]]);
    let current = 'a';
    const writeBlindly = (from: string, balance: number) => {
      current = `state-${states.size}`;
      states.set(current, balance);
      return write(from, balance, current);
    };
    const seenByBoth = current;
    const history = [writeBlindly(seenByBoth, 1), writeBlindly(seenByBoth, 2), read(current, 2)];
    expect(faultsOf(initial, history)).toContain('a lost update: both state-1 and state-2 follow a');
  });

  it('catches an unknown outcome that would branch the chain', () => {
    expect(faultsOf(initial, [write('a', 1, 'unknown'), write('a', 2, 'b'), read('x', 1)])).not.toEqual([]);
  });

  it('catches a stale read, a state that no write produced, and a wrong balance', () => {
    expect(faultsOf(initial, [write('a', 1, 'b'), read('a', 0)])).toEqual([
      'a read saw link 0 after link 1 had been seen',
    ]);
    expect(faultsOf(initial, [read('z', 9)])).toContain('nobody wrote z with the balance 9');
    expect(faultsOf(initial, [write('a', 1, 'b'), read('b', 2)])).toEqual([
      'b was read with the balance 2, not 1',
    ]);
  });

  it('does not order operations that overlap', () => {
    const overlapping: Operation[] = [
      { kind: 'write', from: 'a', balance: 1, outcome: { to: 'b' }, startMs: 0, endMs: 10 },
      { kind: 'read', etag: 'a', balance: 0, startMs: 5, endMs: 12 },
    ];
    expect(faultsOf(initial, overlapping)).toEqual([]);
  });
});
