import { describe, expect, it } from '@jest/globals';
import { token } from '@meridian/settings/values';

import { fieldLine } from '../../src/transport/http1/message-syntax.ts';
import { parseResponseHead } from '../../src/transport/http1/response-head.ts';

const characters = Array.from({ length: 256 }, (_, code) => String.fromCodePoint(code));

/** The patterns are literals of their own, so that `pnpm regexes:check` can analyse them. */
describe('The name of a field of a response', () => {
  it('has the characters of a token, in a line and in a whole head', () => {
    const ofTokens = characters.filter((character) => token.test(character));
    expect(characters.filter((character) => fieldLine.test(`${character}:`))).toEqual(ofTokens);
    expect(characters.filter(isName)).toEqual(ofTokens);
  });
});

function isName(name: string): boolean {
  try {
    return parseResponseHead(`HTTP/1.1 200 OK\r\n${name}: 1`).status === 200;
  } catch {
    return false;
  }
}
