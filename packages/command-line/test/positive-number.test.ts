import { describe, expect, it } from '@jest/globals';

import { positiveNumber } from '../src/index.ts';

describe('positiveNumber', () => {
  it.each([
    ['3', 3],
    ['0.5', 0.5],
  ])('accepts %s', (text, number) => {
    expect(positiveNumber('--seconds', text)).toBe(number);
  });

  it.each(['0', '0.0', '-1', '1e3', '', 'many', 'Infinity'])('refuses "%s"', (text) => {
    expect(() => positiveNumber('--seconds', text)).toThrow(
      expect.objectContaining({
        name: 'UsageError',
        message: `--seconds is "${text}"; it takes a number above 0`,
      }),
    );
  });
});
