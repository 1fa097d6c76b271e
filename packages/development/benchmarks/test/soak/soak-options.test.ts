import { describe, expect, it } from '@jest/globals';

import { readSoakOptions } from '../../src/soak/soak-options.ts';

describe('The flags of pnpm soak', () => {
  it('have defaults for a run of two minutes', () => {
    expect(readSoakOptions([])).toEqual({
      minutes: 2,
      clients: 16,
      rate: 100,
      dataRoot: expect.stringMatching(/\.data\/soak$/u),
    });
  });

  it.each([
    [['--minutes', '0'], /^--minutes is "0"; it takes a number above 0/],
    [['--clients', '199'], /^--clients is "199"; it takes a whole number from 1 to 198/],
    [['--rate', 'fast'], /^--rate is "fast"; it takes a whole number/],
  ])('refuse %j', (args, fault) => {
    expect(() => readSoakOptions(args)).toThrow(fault);
  });
});
