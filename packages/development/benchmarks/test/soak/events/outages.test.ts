import { describe, expect, it } from '@jest/globals';

import { createOutages } from '../../../src/soak/events/outages.ts';

describe('The outages of a soak', () => {
  it('affect requests that began before a service was back, or within two seconds after that', () => {
    const outages = createOutages();
    const beforeMs = performance.now();
    expect(outages.since(beforeMs)).toEqual([]);
    outages.begin('users', 'killed');
    expect(outages.since(performance.now())).toEqual([
      expect.objectContaining({ service: 'users', kind: 'killed' }),
    ]);
    outages.end('users');
    expect([outages.since(beforeMs).length, outages.since(performance.now()).length]).toEqual([1, 1]);
    expect(outages.since(performance.now() + 3000)).toEqual([]);
  });

  it('belong to one service each, and end one by one', () => {
    const outages = createOutages();
    outages.begin('users', 'killed');
    outages.begin('orders', 'stopped');
    outages.end('users');
    expect(outages.since(performance.now() + 3000).map(({ service }) => service)).toEqual(['orders']);
  });
});
