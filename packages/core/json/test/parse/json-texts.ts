import * as fc from 'fast-check';

export const int64Min = -(2n ** 63n);
export const int64Max = 2n ** 63n - 1n;

/**
 * Texts of the whole grammar, with white space in every place and with the values that `parseExactJson` is particular
 * about.
 */
export function jsonText(): fc.Arbitrary<string> {
  const spaces = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 2 });
  const padded = (text: fc.Arbitrary<string>) =>
    fc.tuple(spaces, text, spaces).map((parts) => parts.join(''));
  const digits = fc.string({
    unit: fc.constantFrom(...Array.from('0123456789')),
    minLength: 1,
    maxLength: 4,
  });
  const integer = fc.oneof(
    fc.bigInt({ min: int64Min * 2n, max: int64Max * 2n }).map(String),
    fc.oneof(near(int64Min), near(int64Max), near(0n)).map(String),
    fc.constantFrom('0', '-0', '-1'),
  );
  const decimal = fc
    .tuple(integer, fc.option(digits), fc.option(fc.tuple(fc.constantFrom('e', 'E', 'e+', 'E-'), digits)))
    .map(
      ([whole, fraction, exponent]) =>
        `${whole}${fraction === null ? '' : `.${fraction}`}${exponent?.join('') ?? ''}`,
    );
  const character = fc.oneof(
    fc.constantFrom('a', 'b', '/', ' ', '漢', '😀', '\u2028'),
    fc.constantFrom(
      '\\"',
      '\\\\',
      '\\/',
      '\\b',
      '\\n',
      '\\u0061',
      '\\u006A',
      '\\u0000',
      '\\ud83d\\ude00',
      '\\ud83d',
    ),
  );
  const text = fc.string({ unit: character, maxLength: 4 }).map((content) => `"${content}"`);
  const key = fc.oneof(text, fc.constantFrom('"a"', '"__proto__"', '"10"', String.raw`"\u0061"`));

  return fc.letrec<{ value: string; array: string; object: string }>((tie) => ({
    value: padded(
      fc.oneof(
        { maxDepth: 4 },
        fc.oneof(integer, decimal, text, fc.constantFrom('null', 'true', 'false')),
        tie('array'),
        tie('object'),
      ),
    ),
    array: fc.array(tie('value'), { maxLength: 4 }).map((elements) => `[${elements.join(',')}]`),
    object: fc
      .array(fc.tuple(padded(key), tie('value')), { maxLength: 4 })
      .map((members) => `{${members.map((member) => member.join(':')).join(',')}}`),
  })).value;
}

/** The text with one character left out, put in, or replaced. */
export function edited(text: string): fc.Arbitrary<string> {
  return fc
    .record({
      at: fc.nat({ max: text.length }),
      removed: fc.nat({ max: 1 }),
      inserted: fc.constantFrom('', ...Array.from('{}[]:,"\\0-.eux \u0001')),
    })
    .map(({ at, removed, inserted }) => text.slice(0, at) + inserted + text.slice(at + removed))
    .filter((result) => result.isWellFormed());
}

export /** The integers around a bound, on both of its sides. */
function near(bound: bigint): fc.Arbitrary<bigint> {
  return fc.bigInt({ min: bound - 2n, max: bound + 2n });
}
