import { describe, expect, it } from '@jest/globals';

import { Rejections } from '../../src/http/health-route.ts';

describe('Rejections', () => {
  const clock = { ms: 1000 };
  const started = (): Rejections =>
    new Rejections({ allowed: 2, samplingMs: 100, unreadyMs: 300 }, () => clock.ms);
  const count = (rejections: Rejections, ...statuses: readonly number[]): boolean => {
    statuses.forEach((status) => rejections.count(status));
    return rejections.isReady;
  };

  it.each([
    ['as many as are allowed', [503, 504], true],
    ['more', [503, 504, 503], false],
    ['other statuses', [200, 429, 500, 503, 503, 499], true],
  ])('with %s in an interval: %j → %s', (_, statuses, isReady) => {
    expect(count(started(), ...statuses)).toBe(isReady);
  });

  it('counts each interval by itself', () => {
    const rejections = started();
    expect(count(rejections, 503, 503)).toBe(true);
    clock.ms += 100;
    expect(count(rejections, 503, 503)).toBe(true);
    expect(count(rejections, 503)).toBe(false);
  });

  it('is ready again after its time, in which nothing is counted', () => {
    const rejections = started();
    expect(count(rejections, 503, 503, 503)).toBe(false);
    clock.ms += 299;
    expect(count(rejections, 503, 503, 503)).toBe(false);
    expect(() => rejections.checkReady()).toThrow('rejected too many requests');
    clock.ms += 1;
    expect(count(rejections, 503, 503)).toBe(true);
    rejections.checkReady();
  });
});
