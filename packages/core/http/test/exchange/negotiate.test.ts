import { describe, expect, it } from '@jest/globals';
import { negotiate, readableAccept } from '@meridian/http';

const v1 = 'application/json';
const v2 = 'application/vnd.meridian.account.v2+json';
const offers = [v1, v2] as const;

describe('negotiate', () => {
  it.each([
    // anything is fine
    [undefined, v1],
    ['', v1],
    ['*/*', v1],
    ['application/*', v1],
    // exact names
    [v1, v1],
    [v2, v2],
    [v2.toUpperCase(), v2],
    [`text/html, ${v2}`, v2],
    // qualities
    [`${v1};q=0.5, ${v2}`, v2],
    [`${v1};q=0.5, ${v2};q=0.4`, v1],
    [`${v1}; q=0.001`, v1],
    [`${v2};q=0.9, */*;q=0.8`, v2],
    [`${v2};q=0.1, */*;q=0.8`, v1],
    // the most specific range decides, not the highest quality
    [`*/*;q=1, ${v1};q=0.2, ${v2};q=0.3`, v2],
    [`application/*;q=0, ${v2}`, v2],
    [`${v1};q=0, */*`, v2],
    // among equals: named before matched, then earlier before later
    [`*/*, ${v2}`, v2],
    [`${v2}, */*`, v2],
    [`${v1}, ${v2}`, v1],
    [`${v2}, ${v1}`, v2],
    // Java's default
    ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', v1],
    [`*; q=.2, ${v2}; q=.3`, v2],
    // the character set that every offer has
    [`${v1};charset=utf-8`, v1],
    [`${v1}; charset="UTF-8"; q=0.3`, v1],
    // nothing acceptable
    ['text/html', undefined],
    ['application/xml, image/*', undefined],
    ['*/*;q=0', undefined],
    [`${v1};q=0`, undefined],
    [`${v1};version=3`, undefined],
    // malformed elements are skipped
    ['json', undefined],
    ['*/json', undefined],
    [`${v1};q=2, ${v2}`, v2],
    [`;;, ,${v2}`, v2],
  ])('answers %s with %s', (accept, expected) => {
    expect(negotiate(accept, offers)).toBe(expected);
  });

  it('reads 100 ranges, and nothing after them', () => {
    expect(negotiate('a/b,'.repeat(99) + v2, offers)).toBe(v2);
    expect(negotiate('a/b,'.repeat(100) + v2, offers)).toBeUndefined();
    expect(readableAccept('a/b,'.repeat(100) + v2)).toBe(`${'a/b,'.repeat(99)}a/b`);
  });

  it('chooses nothing without offers', () => {
    expect(negotiate(undefined, [])).toBeUndefined();
  });
});
