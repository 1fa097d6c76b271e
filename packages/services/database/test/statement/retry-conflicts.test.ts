import { describe, expect, it } from '@jest/globals';

import { retryConflicts } from '../../src/statement/retry-conflicts.ts';

describe('retryConflicts', () => {
  it('ends after ten changes that another one got in the way of, also where it waited for a lock between', async () => {
    let calls = 0;
    let pauses = 0;
    const change = (): Promise<never> => {
      calls += 1;
      return Promise.reject(
        Object.assign(new Error('in the way'), { code: calls === 9 ? '55P03' : '40P01' }),
      );
    };
    await expect(retryConflicts(change, () => (pauses += 1))).rejects.toThrow('in the way');
    expect([calls, pauses]).toEqual([11, 1]);
  });
});
