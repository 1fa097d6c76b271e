import { describe, expect, it } from '@jest/globals';

import { isPlainlyLinear } from '../../regexes/is-plainly-linear.ts';

describe('isPlainlyLinear', () => {
  it.each(
    [/^[\t\x20-\x7e]{0,8192}$/, /^\S{20,}$/, /^[^\]\\]+:/i, /^abc$/, /^\p{L}+$/u].map(
      ({ source, flags }) => [source, flags] as const,
    ),
  )('is true of /%s/%s', (pattern, flags) => {
    expect(isPlainlyLinear({ pattern, flags })).toBe(true);
  });

  it.each(
    [
      /a+$/, // begins anywhere
      /^a+$/m, // begins at each line
      /^a+b+$/, // repeats two
      /^(?:a|b)*$/, // has a group
      /^a+|b+$/, // has alternatives, of which one begins anywhere
      /^[a-z]?\d+$/, // has an optional character
      /^(a)\1+$/, // refers to a group
    ].map(({ source, flags }) => [source, flags] as const),
  )('is false of /%s/%s', (pattern, flags) => {
    expect(isPlainlyLinear({ pattern, flags })).toBe(false);
  });
});
