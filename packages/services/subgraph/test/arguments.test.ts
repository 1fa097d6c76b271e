import { describe, expect, it } from '@jest/globals';

import { checkIdentifier, checkInteger, checkText } from '../src/index.ts';

const badUserInput = expect.objectContaining({ code: 'BAD_USER_INPUT' });

describe('checkText', () => {
  it.each(['a', 'ab cd', '👍'])('accepts %j', (text) => {
    expect(() => checkText('body', text, { maxLength: 5 })).not.toThrow();
  });

  it.each(['', ' \n', 'abcdef', 'a\0', '\ud83d'])('refuses %j', (text) => {
    expect(() => checkText('body', text, { maxLength: 5 })).toThrow(badUserInput);
  });
});

describe('checkInteger', () => {
  it.each([1, 5])('accepts its bound %i', (value) => {
    expect(() => checkInteger('rating', value, { min: 1, max: 5 })).not.toThrow();
  });

  it.each([0, 6])('refuses %i', (value) => {
    expect(() => checkInteger('rating', value, { min: 1, max: 5 })).toThrow(badUserInput);
  });
});

describe('checkIdentifier', () => {
  it('refuses an empty identifier', () => {
    expect(() => checkIdentifier('productId', 'p1')).toThrow(badUserInput);
  });
});
