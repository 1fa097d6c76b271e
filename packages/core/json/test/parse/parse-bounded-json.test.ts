import process from 'node:process';

import { describe, expect, it } from '@jest/globals';
import { ExactNumber, JsonBoundError, parseBoundedJson, parseJsonExactly } from '@meridian/json';
import * as fc from 'fast-check';

import { edited, jsonText } from './json-texts.ts';

fc.configureGlobal({ seed: Number(process.env['FAST_CHECK_SEED'] ?? 1) });

const bounds = { maxDepth: 3, maxValues: 8, maxNames: 3 };

describe('parseJsonExactly', () => {
  it('accepts what JSON.parse accepts, and gives the same, each number as its double', () => {
    fc.assert(
      fc.property(jsonText().chain(edited), (text) => {
        expect(outcomeOf(() => parseJsonExactly(text))).toEqual(outcomeOf(() => JSON.parse(text)));
      }),
      { numRuns: 3000 },
    );
  });

  it('is written by JSON.stringify with every digit that it had', () => {
    const digits = fc.stringMatching(/^\d{1,25}$/);
    const number = fc
      .tuple(fc.constantFrom('', '-'), fc.stringMatching(/^(?:0|[1-9]\d{0,25})$/), digits, digits)
      .chain(([sign, whole, fraction, exponent]) =>
        fc.constantFrom(
          `${sign}${whole}`,
          `${sign}${whole}.${fraction}`,
          `${sign}${whole}e${exponent}`,
          `${sign}${whole}.${fraction}E-${exponent}`,
        ),
      );
    fc.assert(
      fc.property(fc.array(number, { minLength: 1 }), (numbers) => {
        const text = `{"a":[${numbers.join()}],"b":${numbers.join(',"b":')}}`;
        expect(JSON.stringify(parseJsonExactly(text))).toBe(
          `{"a":[${numbers.join()}],"b":${numbers.at(-1)}}`,
        );
      }),
    );
  });

  it.each(['0', '-1', '900719925474099', '0.25', '1e+21', '123456789012345680000'])(
    'gives a number for %s, which a double keeps',
    (text) => {
      expect(parseJsonExactly(text)).toBe(Number(text));
    },
  );

  it.each(['-0', '1.0', '9007199254740993', '1e3', '1E+21', '0.10', '1e400', '-1e-400', '1e21'])(
    'keeps %s, of which a double loses something',
    (text) => {
      const parsed = parseJsonExactly(`[${text}]`);
      expect(parsed).toEqual([new ExactNumber(text)]);
      expect(JSON.stringify(parsed)).toBe(`[${text}]`);
    },
  );

  it('keeps digits of the member that replaces an equal one', () => {
    expect(JSON.stringify(parseJsonExactly('{"a":1.0,"a":2.0,"__proto__":3.0}'))).toBe(
      '{"a":2.0,"__proto__":3.0}',
    );
  });
});

describe('parseBoundedJson', () => {
  it.each([
    ['nests more than 3 arrays and objects', '[[[[]]]]'],
    ['has more than 8 values', '[0,0,0,0,0,0,0,0]'],
    ['has more than 3 different names of members', '[{"a":0,"b":0},{"c":0,"d":0}]'],
    ['nests more than 3 arrays and objects', '[[[['],
  ])('throws before it parses: %s: %s', (fault, text) => {
    expect(() => parseBoundedJson(text, bounds)).toThrow(JsonBoundError);
    expect(() => parseBoundedJson(text, bounds)).toThrow(fault);
  });

  it.each(['[[[]]]', '[0,0,0,0,0,0,0]', '[{"a":0,"b":0},{"c":0,"b":0}]', '[":",":a",":b",":c",":d"]'])(
    'parses what is within its bounds: %s',
    (text) => {
      expect(parseBoundedJson(text, bounds)).toEqual(JSON.parse(text));
    },
  );

  it('gives doubles where it is asked for them', () => {
    expect(parseBoundedJson('[9007199254740993,1.0]', bounds, 'double')).toEqual([9007199254740992, 1]);
  });
});

/** The value, an exact number as its double, or that there is none. */
function outcomeOf(parse: () => unknown): unknown {
  try {
    return JSON.stringify(parse(), (_key, value: unknown) =>
      isRaw(value) ? Number(JSON.stringify(value)) : value,
    );
  } catch {
    return 'not JSON';
  }
}

/** `toJSON` comes before a replacer. */
function isRaw(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'rawJSON' in value;
}
