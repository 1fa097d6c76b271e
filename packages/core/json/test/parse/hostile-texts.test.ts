import process from 'node:process';

import { describe, expect, it } from '@jest/globals';
import { parseExactJson } from '@meridian/json';

// Each takes under 0.2 s of a slow processor, and seconds of one with much other work; anything that grows with the
// square of the text takes minutes.
const limitMs = 20_000;
const size = 1_048_576;

describe('parseExactJson takes linear time for', () => {
  it.each([
    ['digits', '1'.repeat(size)],
    ['digits of a fraction', `1.${'1'.repeat(size)}`],
    ['white space', `${' '.repeat(size)}1`],
    ['a string', `"${'a'.repeat(size)}"`],
    ['a string of wide characters', `"${'漢'.repeat(size / 4)}"`],
    ['a string of escapes', `"${'\\u0041'.repeat(size / 6)}"`],
    ['a string that does not end', `"${'\\n'.repeat(size / 2)}`],
    ['elements', `[${'0,'.repeat(size / 2)}0]`],
    ['empty arrays', `[${'[],'.repeat(size / 3)}[]]`],
    ['opening brackets', '['.repeat(size)],
    ['keys that are numbers', objectOf((index) => `"${index}":0`)],
    ['keys that are escaped', objectOf((index) => `"\\u0041${index}":0`)],
    ['bytes that are not UTF-8', Buffer.alloc(size, 0xff)],
    ['UTF-8 that goes wrong at its end', Buffer.concat([Buffer.alloc(size, 'a'), Buffer.from([0xff])])],
  ])('%s', (_name, text) => {
    const bytes = Buffer.from(text);
    const before = process.threadCpuUsage();
    try {
      parseExactJson(bytes);
    } catch {
      // Some are refused; here it matters only how soon.
    }
    // Not by the clock, because the processor may be another's meanwhile; nor with the threads that compile and
    // collect.
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(limitMs);
  });
});

function objectOf(member: (index: number) => string): string {
  return `{${Array.from({ length: size / 16 }, (_, index) => member(index)).join(',')}}`;
}
