import { describe, expect, it } from '@jest/globals';

import { lastWords } from '../../src/run/last-words.ts';

describe('lastWords', () => {
  it('takes the message of an error that nobody caught', () => {
    const output = `{"level":"info","msg":"listening"}
file:///srv/apps/accounts/src/main.ts:12
  throw new TypeError('no such thing');
        ^

TypeError: no such thing
    at file:///srv/apps/accounts/src/main.ts:12:9

Node.js v24.21.0
`;
    expect(lastWords(output)).toBe('TypeError: no such thing');
  });

  it('takes the last line that is no structured log', () => {
    expect(lastWords('PORT holds "eighty"; it takes a port\n{"level":"info","msg":"stopped"}\n')).toBe(
      'PORT holds "eighty"; it takes a port',
    );
  });

  it('has nothing to say of a program that only wrote logs', () => {
    expect(lastWords('{"level":"info","msg":"listening"}\n')).toBeUndefined();
  });
});
