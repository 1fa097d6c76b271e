import { describe, expect, it } from '@jest/globals';
import { DecimalNumber, ExactJsonError, parseExactJson } from '@meridian/json';
import { parseText, errorOf } from './parse-text.ts';

describe('parseExactJson reads', () => {
  it.each([
    ['null', null],
    ['true', true],
    ['false', false],
    ['""', ''],
    ['"text"', 'text'],
    ['0', 0n],
    ['[]', []],
    ['[1, [true, null]]', [1n, [true, null]]],
    ['{}', new Map()],
    ['{"a": {"b": []}}', new Map([['a', new Map([['b', []]])]])],
    [' \t\r\n[ 1 , 2 ]\n', [1n, 2n]],
    [
      ' { "a" : 1 , "b" : 2 } ',
      new Map([
        ['a', 1n],
        ['b', 2n],
      ]),
    ],
  ])('%j', (text, value) => {
    expect(parseText(text)).toEqual(value);
  });

  it.each([
    String.raw`"\" \\ \/ \b \f \n \r \t"`,
    String.raw`"\u0041\u00e4\u6F22"`,
    String.raw`"\ud83d\ude00 and \u0000"`,
    '"ä 漢 😀 \u2028 \u007f"',
  ])('the string %s as JSON.parse does', (text) => {
    expect(parseText(text)).toBe(JSON.parse(text));
  });

  it.each([
    '-9223372036854775808',
    '-9007199254740993',
    '-1',
    '0',
    '9007199254740993',
    '9223372036854775807',
  ])('the integer %s digit for digit', (text) => {
    expect(parseText(text)).toBe(BigInt(text));
  });

  it.each(['1.0', '1e3', '-0.0', '0e0', '-1.5E-7', '9223372036854775808.0', '1e400'])(
    'the number %s as the text it was written as, not as an integer',
    (text) => {
      expect(parseText(text)).toEqual(new DecimalNumber(text));
    },
  );

  it('members in document order', () => {
    const members = parseText('{"b": 1, "10": 2, "a": 3, "2": 4}');
    expect(members instanceof Map && [...members.keys()]).toEqual(['b', '10', 'a', '2']);
  });

  it('__proto__ as a key like any other', () => {
    expect(parseText('{"__proto__": {"isAdmin": true}}')).toEqual(
      new Map([['__proto__', new Map([['isAdmin', true]])]]),
    );
  });

  it('the same key in different objects', () => {
    expect(parseText('[{"a": 1}, {"a": {"a": 2}}]')).toBeDefined();
  });

  it('32 levels of nesting, counted anew for each branch', () => {
    const deepest = '[{"a":'.repeat(16) + '0' + '}]'.repeat(16);
    expect(parseText(deepest)).toBeDefined();
    expect(parseText(`[${'[],'.repeat(100)}[]]`)).toHaveLength(101);
  });

  it('a plain Uint8Array that is a part of a larger buffer', () => {
    const bytes = new TextEncoder().encode('xx[1]xx').subarray(2, 5);
    expect(parseExactJson(bytes)).toEqual([1n]);
  });
});

describe('parseExactJson refuses', () => {
  it.each([
    ['an integer above 2^63-1', '9223372036854775808', 'integer-out-of-range', 0],
    ['an integer below -2^63', '[-9223372036854775809]', 'integer-out-of-range', 1],
    ['an integer of 20 digits', '10000000000000000000', 'integer-out-of-range', 0],
    ['an integer of a thousand digits', '1'.repeat(1000), 'integer-out-of-range', 0],
    ['negative zero', '{"a": -0}', 'negative-zero', 6],
    ['a leading zero', '[01]', 'leading-zero', 1],
    ['a leading zero after a sign', '-01', 'leading-zero', 1],
    ['a leading zero before a fraction', '00.5', 'leading-zero', 0],
    ['a leading plus', '+1', 'unexpected-character', 0],
    ['a number without an integer part', '.5', 'unexpected-character', 0],
    ['a fraction without digits', '[1.]', 'unexpected-character', 3],
    ['an exponent without digits', '1e+', 'unexpected-end', 3],
    ['an exponent with two signs', '1e+-1', 'unexpected-character', 3],
    ['a minus alone', '-', 'unexpected-end', 1],
    ['a hexadecimal number', '0x1', 'trailing-text', 1],
    ['NaN', 'NaN', 'unexpected-character', 0],
    ['Infinity', '-Infinity', 'unexpected-character', 1],
    ['a number with a separator', '1_000', 'trailing-text', 1],
    ['a literal cut short', 'tru', 'unexpected-end', 3],
    ['a misspelt literal', '[nul]', 'unexpected-character', 4],
    ['a capital literal', 'True', 'unexpected-character', 0],
    ['duplicate keys', '{"a": 1, "b": 2, "a": 1}', 'duplicate-key', 17],
    ['duplicate keys, one of them escaped', String.raw`{"a": 1, "\u0061": 2}`, 'duplicate-key', 9],
    ['duplicate __proto__', '{"__proto__": 1, "__proto__": 1}', 'duplicate-key', 17],
    ['a key without quotes', '{a: 1}', 'unexpected-character', 1],
    ['a key in single quotes', "{'a': 1}", 'unexpected-character', 1],
    ['a key without a value', '{"a"}', 'unexpected-character', 4],
    ['a member without a colon', '{"a" 1}', 'unexpected-character', 5],
    ['a trailing comma in an object', '{"a": 1,}', 'unexpected-character', 8],
    ['a trailing comma in an array', '[1,]', 'unexpected-character', 3],
    ['a missing comma', '[1 2]', 'unexpected-character', 3],
    ['an array that does not end', '[1', 'unexpected-end', 2],
    ['an object that does not end', '{"a": 1', 'unexpected-end', 7],
    ['mismatched brackets', '[1}', 'unexpected-character', 2],
    ['a comment', '[] // none', 'trailing-text', 3],
    ['trailing text', '{} x', 'trailing-text', 3],
    ['a second value', '1 2', 'trailing-text', 2],
    ['trailing NUL', '1\0', 'trailing-text', 1],
    ['an empty text', '', 'unexpected-end', 0],
    ['white space alone', ' \n', 'unexpected-end', 2],
    ['white space that JSON does not know', '\u00a01', 'unexpected-character', 0],
    ['a string that does not end', '"abc', 'unexpected-end', 4],
    ['a newline in a string', '"a\nb"', 'control-character', 2],
    ['NUL in a string', '"\0"', 'control-character', 1],
    ['an unknown escape', String.raw`"a\x41"`, 'invalid-escape', 2],
    ['an escape cut short', String.raw`"\u00e"`, 'invalid-escape', 1],
    ['an escape that is not hexadecimal', String.raw`"\u00g0"`, 'invalid-escape', 1],
    ['an escape at the end of the text', '"\\', 'invalid-escape', 1],
    ['half of a surrogate pair', String.raw`["\ud83d"]`, 'lone-surrogate', 1],
    ['a surrogate pair in the wrong order', String.raw`"\ude00\ud83d"`, 'lone-surrogate', 0],
    ['33 levels of arrays', '['.repeat(33) + ']'.repeat(33), 'too-deep', 32],
    ['33 levels of objects', '{"a":'.repeat(33) + '0' + '}'.repeat(33), 'too-deep', 160],
    ['a byte-order mark', '\uFEFF{}', 'byte-order-mark', 0],
  ])('%s', (_name, text, code, byteOffset) => {
    expect(errorOf(Buffer.from(text))).toMatchObject({ code, byteOffset });
  });

  it.each([
    ['a byte that no character starts with', [0x22, 0xff, 0x22], 1],
    ['a continuation byte alone', [0x22, 0x61, 0x80, 0x22], 2],
    ['an overlong form', [0x22, 0xc0, 0xaf, 0x22], 1],
    ['a surrogate half in UTF-8', [0x22, 0xed, 0xa0, 0x80, 0x22], 1],
    ['a character cut short', [0x22, 0xe6, 0xbc], 1],
    ['a character above U+10FFFF', [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22], 1],
  ])('%s as invalid UTF-8', (_name, bytes, byteOffset) => {
    expect(errorOf(Uint8Array.from(bytes))).toMatchObject({ code: 'invalid-utf-8', byteOffset });
  });

  it('UTF-8 that goes wrong only after a genuine U+FFFD', () => {
    const bytes = Buffer.concat([Buffer.from('"\uFFFD'), Buffer.from([0xff, 0x22])]);
    expect(errorOf(bytes)).toMatchObject({ code: 'invalid-utf-8', byteOffset: 4 });
  });

  it.each(['utf16le', 'latin1'] as const)('text encoded as %s', (encoding) => {
    expect(errorOf(Buffer.from('{"name": "zürich"}', encoding))).toBeInstanceOf(ExactJsonError);
  });

  it('input with the offset in bytes, whatever the text before it holds', () => {
    expect(errorOf(Buffer.from('["ä漢😀" x'))).toMatchObject({ byteOffset: 13 });
  });

  it('input with a message that names the fault and its place, and quotes nothing', () => {
    const error = errorOf(Buffer.from('{"secret": 1, "secret": 2}'));
    expect(error.message).toBe('Cannot parse JSON: object has the same key twice, at byte 14');
    expect(error.name).toBe('ExactJsonError');
  });
});
