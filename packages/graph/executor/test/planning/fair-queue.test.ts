import { describe, expect, it } from '@jest/globals';

import type { FairQueue } from '../../src/planning/planner-thread.ts';
import { createFairQueue } from '../../src/planning/planner-thread.ts';

function takeAll(queue: FairQueue<string>): readonly string[] {
  const started: string[] = [];
  for (let next = queue.take(anyone); next !== undefined; next = queue.take(anyone)) {
    started.push(next.item);
  }
  return started;
}

const anyone = (): boolean => true;

describe('createFairQueue', () => {
  it('takes owners in turn, however many items each has added', () => {
    const queue = createFairQueue<string>(10);
    ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].forEach((item) => queue.add(item.slice(0, 1), item));

    expect(takeAll(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    expect(queue.size).toBe(0);
  });

  it('skips owners who have reached their limit', () => {
    const queue = createFairQueue<string>(10);
    ['a1', 'b1'].forEach((item) => queue.add(item.slice(0, 1), item));

    expect(queue.has((owner) => owner !== 'a')).toBe(true);
    expect(queue.take((owner) => owner !== 'a')).toEqual({ owner: 'b', item: 'b1' });
    expect(queue.has((owner) => owner !== 'a')).toBe(false);
    expect(queue.take((owner) => owner !== 'a')).toBeUndefined();
    expect(takeAll(queue)).toEqual(['a1']);
  });

  it('drops the last item of the owner with the most when it is full', () => {
    const queue = createFairQueue<string>(3);
    ['a1', 'a2', 'a3'].forEach((item) => queue.add('a', item));

    expect(queue.add('b', 'b1')).toBe('a3');
    expect(takeAll(queue)).toEqual(['a1', 'b1', 'a2']);
  });

  it('refuses a new item of the owner with the most when it is full', () => {
    const queue = createFairQueue<string>(3);
    ['a1', 'a2', 'b1'].forEach((item) => queue.add(item.slice(0, 1), item));

    expect(queue.add('a', 'a3')).toBe('a3');
    expect(queue.add('b', 'b2')).toBe('b2');
    expect(takeAll(queue)).toEqual(['a1', 'b1', 'a2']);
  });
});
