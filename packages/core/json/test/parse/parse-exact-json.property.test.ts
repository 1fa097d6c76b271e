import process from 'node:process';
import { describe, expect, it } from '@jest/globals';
import { ExactJsonError } from '@meridian/json';
import * as fc from 'fast-check';
import { judge } from './json-oracle.ts';
import { edited, int64Max, int64Min, jsonText, near } from './json-texts.ts';
import { outcomeOf, parseText, errorOf } from './parse-text.ts';

// The same texts every time: a change is judged by what it changes. Another seed, for those who look for more, in
// FAST_CHECK_SEED.
fc.configureGlobal({ seed: Number(process.env['FAST_CHECK_SEED'] ?? 1) });

describe('parseExactJson agrees with JSON.parse and slow checks about', () => {
  it('well-formed texts', () => {
    fc.assert(fc.property(jsonText(), agreesWithOracle), { numRuns: 2000 });
  });

  it('well-formed texts after one edit', () => {
    fc.assert(fc.property(jsonText().chain(edited), agreesWithOracle), { numRuns: 3000 });
  });

  it('random texts of the characters that JSON is made of', () => {
    const unit = fc.constantFrom(...Array.from('{}[]:,"\\/u0123456789abef.+-eE truefalsenull\n\u0001é'));
    fc.assert(fc.property(fc.string({ unit, maxLength: 12 }), agreesWithOracle), { numRuns: 5000 });
  });

  it('what JSON.stringify writes, lone surrogates and all', () => {
    fc.assert(fc.property(fc.json({ stringUnit: 'binary' }), agreesWithOracle), { numRuns: 1000 });
  });

  it('any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 16 }), (bytes) => {
        const text = Buffer.from(bytes).toString();
        const isUtf8 = Buffer.from(text).equals(bytes);
        expect(verdictOn(bytes)).toEqual(isUtf8 ? judge(text) : 'refused');
      }),
      { numRuns: 2000 },
    );
  });
});

describe('parseExactJson keeps', () => {
  it('every 64-bit integer, digit for digit', () => {
    const integers = fc.oneof(fc.bigInt({ min: int64Min, max: int64Max }), near(int64Min), near(int64Max));
    fc.assert(
      fc.property(integers.filter(isInt64), (integer) => {
        expect(parseText(`{"balance_minor_units":${integer}}`)).toEqual(
          new Map([['balance_minor_units', integer]]),
        );
      }),
    );
  });

  it('no integer beyond 64 bits', () => {
    const integers = fc.oneof(fc.bigInt(), near(int64Min), near(int64Max), near(10n ** 19n));
    fc.assert(
      fc.property(
        integers.filter((integer) => !isInt64(integer)),
        (integer) => {
          expect(errorOf(Buffer.from(String(integer))).code).toBe('integer-out-of-range');
        },
      ),
    );
  });
});

describe('parseExactJson reports', () => {
  it('an offset before which nothing was wrong', () => {
    fc.assert(
      fc.property(jsonText().chain(edited), (text) => {
        fc.pre(judge(text) === 'refused');
        const bytes = Buffer.from(text);
        const { byteOffset } = errorOf(bytes);
        const outcomeBefore = outcomeOf(bytes.subarray(0, byteOffset));
        const canGoOn = 'value' in outcomeBefore || outcomeBefore.code === 'unexpected-end';
        expect(canGoOn).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

function agreesWithOracle(text: string): void {
  expect(verdictOn(Buffer.from(text))).toEqual(judge(text));
}

function verdictOn(bytes: Uint8Array): ReturnType<typeof judge> {
  const outcome = outcomeOf(bytes);
  return outcome instanceof ExactJsonError ? 'refused' : outcome;
}

function isInt64(integer: bigint): boolean {
  return integer >= int64Min && integer <= int64Max;
}
