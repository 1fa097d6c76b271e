import { describe, expect, it } from '@jest/globals';
import { decimalInt64, int64, array, nullable, oneOf, text } from '@meridian/json';

import { faultOf, read } from './read-text.ts';

describe('int64', () => {
  it.each(['0', '-1', '9007199254740993', '9223372036854775807', '-9223372036854775808'])(
    'reads and writes %s digit for digit',
    (json) => {
      expect(int64().write(read(int64(), json))).toBe(json);
    },
  );

  it.each(['"1"', 'null', '1.0', '1e3', 'true', '[1]'])('refuses %s', (json) => {
    expect(faultOf(int64(), json)).toBe('it is not an integer');
  });

  it('takes its minimum, and nothing below it', () => {
    const schema = int64({ minimum: 1n });
    expect(read(schema, '1')).toBe(1n);
    expect(faultOf(schema, '0')).toBe('it is below 1');
  });
});

describe('decimalInt64', () => {
  it.each(['"0"', '"-1"', '"9223372036854775807"', '"-9223372036854775808"'])(
    'reads and writes %s',
    (json) => {
      expect(decimalInt64().write(read(decimalInt64(), json))).toBe(json);
    },
  );

  it.each([
    ['1', 'it is not a string with a decimal integer'],
    ['""', 'it is not a string with a decimal integer'],
    ['"-0"', 'it is not a string with a decimal integer'],
    ['"01"', 'it is not a string with a decimal integer'],
    ['"+1"', 'it is not a string with a decimal integer'],
    ['"1\\n"', 'it is not a string with a decimal integer'],
    ['"10000000000000000000"', 'it is not a string with a decimal integer'],
    ['"9223372036854775808"', 'it is above 9223372036854775807'],
    ['"-9223372036854775809"', 'it is below -9223372036854775808'],
  ])('refuses %s: %s', (json, message) => {
    expect(faultOf(decimalInt64(), json)).toBe(message);
  });
});

describe('The text schema', () => {
  it('counts code points, as JSON Schema does', () => {
    const schema = text({ maxLength: 2, takes: 'a short string' });
    expect(read(schema, '"\u{1F600}\u{1F600}"')).toBe('\u{1F600}\u{1F600}');
    expect(faultOf(schema, '"abc"')).toBe('it is not a short string');
  });

  it('accepts what its pattern matches', () => {
    const schema = text({ pattern: /^[a-z]+$/u });
    expect(read(schema, '"abc"')).toBe('abc');
    expect(faultOf(schema, '"ABC"')).toBe('it is not a string');
  });

  it('escapes what it writes', () => {
    expect(text().write('"\n')).toBe(String.raw`"\"\n"`);
  });
});

describe('The oneOf schema', () => {
  it('accepts its strings, and no other', () => {
    const schema = oneOf(['paid', 'shipped']);
    expect(read(schema, '"paid"')).toBe('paid');
    expect(faultOf(schema, '"lost"')).toBe('it is not one of paid, shipped');
    expect(schema.write('shipped')).toBe('"shipped"');
  });
});

describe('The nullable schema', () => {
  it('reads and writes null beside the values of its schema', () => {
    const schema = nullable(int64());
    expect([read(schema, 'null'), read(schema, '1')]).toEqual([null, 1n]);
    expect([schema.write(null), schema.write(1n)]).toEqual(['null', '1']);
  });
});

describe('The listOf schema', () => {
  const schema = array(int64(), { maxItems: 2 });

  it('reads and writes the items in order', () => {
    expect(schema.write(read(schema, '[2,1]'))).toBe('[2,1]');
  });

  it.each([
    ['{}', 'it is not a JSON array'],
    ['[1,2,3]', 'it has more than 2 items'],
    ['[1,"2"]', '[1] is not an integer'],
  ])('refuses %s: %s', (json, message) => {
    expect(faultOf(schema, json)).toBe(message);
  });
});
