import { describe, expect, it } from '@jest/globals';

import { flagValue, positiveNumber } from '../../src/command-line/index.ts';

describe('flagValue', () => {
  it('returns the value of a text that the type takes', () => {
    expect(flagValue('--seconds', '0.5', positiveNumber)).toBe(0.5);
  });

  it('throws a UsageError that names the flag, its text and what it takes', () => {
    expect(() => flagValue('--seconds', 'many', positiveNumber)).toThrow(
      expect.objectContaining({
        name: 'UsageError',
        message: '--seconds is "many"; it takes a number above 0',
      }),
    );
  });
});
