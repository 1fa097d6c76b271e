import { describe, expect, it } from '@jest/globals';

import { decimalText } from '../src/decimal-text.ts';

describe('decimalText', () => {
  it.each([
    0,
    -0,
    1,
    200,
    0.5,
    0.001,
    0.01,
    0.149,
    12.34,
    1e-4,
    1.0005,
    -0.5,
    0.1 + 0.2,
    2 ** 30 / 1000,
    1e6,
  ])('writes %d as JSON does', (value) => {
    expect(decimalText(value)).toBe(JSON.stringify(value));
  });

  it('writes numbers with up to four decimals, their neighbours and large numbers as JSON does', () => {
    const differing: number[] = [];
    for (let n = 0; n < 30_000; n += 1) {
      const value = (n * 7919) / 10_000;
      for (const one of [
        value,
        value * (1 + Number.EPSILON),
        value * 1e3,
        value * 1e6,
        value * 1e18,
        value / 1e9,
      ]) {
        if (decimalText(one) !== JSON.stringify(one)) {
          differing.push(one);
        }
      }
    }
    expect(differing).toEqual([]);
  });
});
