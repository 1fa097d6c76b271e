import { describe, expect, it } from '@jest/globals';

import { readDevOptions } from '../../src/options/dev-options.ts';
import { readSubgraphNames } from '../../src/apps/services.ts';

/** As the stack calls them. */
const subgraphs = readSubgraphNames().join(', ');

describe('readDevOptions', () => {
  it('accepts the subgraphs to watch, besides the flags of pnpm start', () => {
    const options = readDevOptions(['--only', 'reviews', '--only', 'users', '--free-ports'], {});
    expect(options).toMatchObject({ watched: ['reviews', 'users'], ports: 'free' });
  });

  it.each([
    [[], `--only is missing; it takes ${subgraphs}`],
    [['--only', 'accounts'], `--only is "accounts"; it takes ${subgraphs}`],
    [['--olny', 'users'], "Unknown option '--olny'"],
  ])('refuses %j in one line', (commandLine, message) => {
    expect(() => readDevOptions(commandLine, {})).toThrow(
      expect.objectContaining({ name: 'UsageError', message }),
    );
  });
});
