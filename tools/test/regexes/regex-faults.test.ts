import { describe, expect, it } from '@jest/globals';

import { regexFaults } from '../../regexes/regex-faults.ts';

describe('regexFaults', () => {
  it.each([
    [String.raw`/^\/+|\/+$/g`, 'slashes at either end'],
    [String.raw`/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g`, 'a token in a text'],
    [String.raw`/(a|a)*$/`, 'two ways for each letter'],
    [String.raw`/^(\w+\s?)*$/`, 'words in a row'],
  ])('refuses %s, %s', (literal) => {
    const source = `// A file.\nexport const planted = (text: string) => text.replaceAll(${literal}, '');\n`;
    expect(regexFaults(new Map([['apps/a/src/a.ts', source]]), {})).toEqual([
      expect.stringMatching(/^apps\/a\/src\/a\.ts:2: \/.* takes (?:2nd degree polynomial|exponential) time/u),
    ]);
  });

  it.each([String.raw`/^\/+/`, String.raw`/(?<!\/)\/+$/`, String.raw`/eyJ[\w-]*(\.[\w-]+\.[\w-]*)?/g`])(
    'accepts %s',
    (literal) => {
      expect(regexFaults(new Map([['a.tsx', `const a = <p>{${literal}.source}</p>;`]]), {})).toEqual([]);
    },
  );

  it('ignores comments and strings', () => {
    const source = "// /(a|a)*$/\nconst a = '/(a|a)*$/';";
    expect(regexFaults(new Map([['a.ts', source]]), {})).toEqual([]);
  });

  it('refuses a regex that is made from a string, unless a reason is given', () => {
    const sources = new Map([
      ['listed.ts', 'const a = (text: string) => new RegExp(text);'],
      ['other.ts', 'const a = (text: string) => RegExp(text);'],
    ]);
    expect(regexFaults(sources, { 'listed.ts': 'a reason' })).toEqual([
      'other.ts: makes a regular expression of a text, which is not listed with a reason',
    ]);
  });

  it('refuses an unused reason', () => {
    expect(regexFaults(new Map([['a.ts', 'const a = 1;']]), { 'a.ts': 'a reason' })).toEqual([
      'a.ts: is listed, and makes no regular expression of a text',
    ]);
  });
});
