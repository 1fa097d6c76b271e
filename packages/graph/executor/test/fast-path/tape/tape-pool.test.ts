import { describe, expect, it } from '@jest/globals';

import { eventually } from '@meridian/testing';

import { TapePool } from '../../../src/fast-path/tape/tape-pool.ts';
import type { Tape } from '../../../src/fast-path/tape/tape.ts';

/** Takes so many tapes at the same time, and returns them. */
function use(pool: TapePool, count: number): ReadonlySet<Tape> {
  const tapes = Array.from({ length: count }, () => pool.acquire());
  tapes.forEach((tape) => pool.release(tape));
  return new Set(tapes);
}

/** The number of tapes that are in both sets. */
function common(some: ReadonlySet<Tape>, others: ReadonlySet<Tape>): number {
  return [...some].filter((tape) => others.has(tape)).length;
}

describe('A pool of tapes', () => {
  it('hands out the tapes that were returned, as many as were in use at the same time', () => {
    const pool = new TapePool();
    const first = use(pool, 300);
    expect(common(use(pool, 300), first)).toBe(300);
  });

  it('drops those that no run needs any more, but for a few', async () => {
    const pool = new TapePool({ checkEveryMs: 5 });
    const first = use(pool, 50);
    await eventually(() => expect(pool.keptCount).toBe(8));
    expect(common(use(pool, 50), first)).toBe(8);
  });
});
