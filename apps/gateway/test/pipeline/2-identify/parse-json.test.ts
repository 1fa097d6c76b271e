// The size of a request's JSON, counted before it is parsed.
import { describe, expect, it } from '@jest/globals';

import { parseJson } from '../../../src/pipeline/2-identify/parse-json.ts';

const limits = { maxDepth: 2, maxValues: 4 };

describe('parseJson', () => {
  it.each([
    ['brackets and commas in a string', '{"a": "[[[[,,,,,"}'],
    ['brackets after an escaped quote', String.raw`{"a": "\"[[[[,,,,,"}`],
    ['brackets after many escaped quotes', String.raw`{"a": "\"\"[[\"[[,,,,,\""}`],
    ['brackets after escaped backslashes and a quote', String.raw`{"a": "\\\"[[[[,,,,,\\"}`],
  ])('counts no %s', (_what, text) => {
    expect(parseJson(text, 'The body', limits)).toEqual(JSON.parse(text));
  });

  it.each([
    ['after a string that ends with an escaped backslash', String.raw`["a\\", [[1]]]`],
    ['after a string with escaped quotes', String.raw`["\"\"\"", [[1]]]`],
    ['after a string that is an escaped quote and an escaped backslash', String.raw`["\"\\", [[1]]]`],
  ])('counts brackets %s', (_where, text) => {
    expect(() => parseJson(text, 'The body', limits)).toThrow('nests more than 2 arrays and objects');
  });

  it.each([String.raw`{"a": "\"[[[[`, String.raw`{"a": "\"[[[\\`, String.raw`{"a": "[[[[[[[\"`])(
    'reads an unterminated string to its end: %s',
    (text) => {
      expect(() => parseJson(text, 'The body', limits)).toThrow('is not valid JSON');
    },
  );
});
