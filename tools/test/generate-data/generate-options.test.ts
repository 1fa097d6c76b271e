import { describe, expect, it } from '@jest/globals';

import { readGenerateOptions } from '../../generate-data/generate-options.ts';

const environment = { DATABASE_URL: 'postgresql://postgres:secret@127.0.0.1:5432' };

describe('readGenerateOptions', () => {
  it('defaults to the size of a large tenant', () => {
    expect(readGenerateOptions([], environment)).toEqual({
      serverUrl: environment.DATABASE_URL,
      environment: {
        GENERATE_TENANT: 'big',
        GENERATE_PRODUCTS: '200000',
        GENERATE_REVIEWS: '5000000',
        GENERATE_ORDERS: '1000000',
      },
    });
  });

  it.each([
    [['--reviews', '-1'], environment, "Option '--reviews' argument is ambiguous"],
    [['--reviews=1e3'], environment, '--reviews is "1e3"; it takes a whole number from 1 to 99999999'],
    [['--review=1'], environment, "Unknown option '--review'"],
    [[], {}, 'DATABASE_URL takes the URL of a server'],
  ])('names the fault of %j', (commandLine, env, fault) => {
    expect(() => readGenerateOptions(commandLine, env)).toThrow(fault);
  });
});
