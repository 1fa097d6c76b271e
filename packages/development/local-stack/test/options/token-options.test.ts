import { describe, expect, it } from '@jest/globals';

import { readTokenOptions } from '../../src/options/token-options.ts';

describe('readTokenOptions', () => {
  it.each([
    ['90', 90],
    ['90s', 90],
    ['15m', 900],
    ['1h', 3600],
    ['7d', 604_800],
  ])('reads --ttl %s as %d seconds', (ttl, seconds) => {
    expect(readTokenOptions(['--ttl', ttl]).ttlSeconds).toBe(seconds);
  });

  it.each([
    [['--tennant', 'acme'], "Unknown option '--tennant'"],
    [['--ttl', '0'], '--ttl is "0"; it takes a time such as 90s, 15m, 1h or 7d'],
    [['--ttl', '1 hour'], '--ttl is "1 hour"; it takes a time such as 90s, 15m, 1h or 7d'],
    [['--tenant', ''], '--tenant is ""; it takes 1 to 255 characters without a space'],
    [['--tenant', 'a b'], '--tenant is "a b"; it takes 1 to 255 characters without a space'],
    [['--subject', 'a\tb'], '--subject is "a\\tb"; it takes 1 to 255 characters without a space'],
    [['--data', '/nowhere/at/all'], '--data is "/nowhere/at/all"; there is no such folder'],
  ])('refuses %j in one line', (commandLine, message) => {
    expect(() => readTokenOptions(commandLine)).toThrow(
      expect.objectContaining({ name: 'UsageError', message }),
    );
  });
});
