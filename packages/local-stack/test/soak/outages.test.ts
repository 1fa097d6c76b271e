import { describe, expect, it } from '@jest/globals';

import { createOutages } from '../../src/soak/outages.ts';

describe('the outages of a soak', () => {
  it('touch what began before a service was back, or within a second after that', () => {
    const outages = createOutages();
    const beforeMs = performance.now();
    expect(outages.touch(beforeMs)).toBe(false);
    outages.onDown('users');
    expect([outages.touch(performance.now()), outages.away()]).toEqual([true, ['users']]);
    outages.onReady('users');
    expect([outages.touch(beforeMs), outages.touch(performance.now())]).toEqual([true, true]);
    expect(outages.touch(performance.now() + 2000)).toBe(false);
  });

  it('count a service that comes back, and none that was never away', () => {
    const outages = createOutages();
    outages.onReady('orders');
    outages.onDown('users');
    outages.onDown('users');
    outages.onReady('users');
    expect(outages.recoveries()).toBe(1);
  });
});
