import { describe, expect, it } from '@jest/globals';

import { printable, printableLines, printableTexts } from '../../src/values/index.ts';

describe('printable', () => {
  it.each([
    ['x\n::error file=a::injected', String.raw`x\n::error file=a::injected`],
    ['\u001b]0;a title\u0007', String.raw`\u001b]0;a title\u0007`],
    ['\u009b31mred', String.raw`\u009b31mred`],
    ['a\u2028b\u202ec', String.raw`a\u2028b\u202ec`],
    ['Ж, "quoted" and \\ as they are', 'Ж, "quoted" and \\ as they are'],
  ])('escapes what a terminal, Markdown or a workflow could act on: %j', (text, expected) => {
    expect(printable(text)).toBe(expected);
  });
});

describe('printableLines', () => {
  it('keeps line breaks', () => {
    expect(printableLines('one\n\u001btwo')).toBe(String.raw`one${'\n'}\u001btwo`);
  });
});

describe('printableTexts', () => {
  it('escapes each text in lists and objects, and keeps every other value', () => {
    const date = new Date(0);
    expect(printableTexts({ 'a\n': ['b\n', 1, null, { c: '\r' }], date })).toEqual({
      [String.raw`a\n`]: [String.raw`b\n`, 1, null, { c: String.raw`\r` }],
      date,
    });
  });
});
