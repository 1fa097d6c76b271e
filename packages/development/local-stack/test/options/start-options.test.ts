import { describe, expect, it } from '@jest/globals';

import { readServices } from '../../src/apps/services.ts';
import { readStartOptions } from '../../src/options/start-options.ts';

const services = readServices();

describe('readStartOptions', () => {
  it('accepts the server that DATABASE_URL names, and an empty one as absent', () => {
    const url = 'postgres://me@127.0.0.1/postgres';
    expect(readStartOptions([], { DATABASE_URL: url }).serverUrl).toBe(url);
    expect(readStartOptions([], { DATABASE_URL: '' }).serverUrl).toBeUndefined();
  });

  it.each([
    [['--frehs'], "Unknown option '--frehs'"],
    [['accounts'], "Unexpected argument 'accounts'"],
    [['--data'], "Option '--data <value>' argument missing"],
    [['--port-offset', 'ten'], '--port-offset is "ten"; it takes a whole number from 0 to 57447'],
    [['--port-offset', '57448'], '--port-offset is "57448"; it takes a whole number from 0 to 57447'],
    [['--reset', 'nobody'], `--reset is "nobody"; it takes ${services.map(({ name }) => name).join(', ')}`],
    [
      ['--free-ports', '--port-offset', '1'],
      '--free-ports and --port-offset exclude each other: give one of them',
    ],
  ])('refuses %j in one line', (commandLine, message) => {
    expect(() => readStartOptions(commandLine, {})).toThrow(
      expect.objectContaining({ name: 'UsageError', message }),
    );
  });

  it('refuses another DATABASE_URL without repeating it', () => {
    expect(() => readStartOptions([], { DATABASE_URL: 'mysql://me:hunter2@db' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
    );
  });
});
