import { describe, expect, it } from '@jest/globals';

import { alignColumns } from '../../src/command-line/index.ts';

const rows = [
  ['who', 'requests'],
  ['the storefront', '7'],
];

describe('alignColumns', () => {
  it('makes each column as wide as its widest cell, and leaves no space at the end of a line', () => {
    expect(alignColumns(rows)).toEqual(['who             requests', 'the storefront  7']);
  });

  it('aligns the columns after the first ones to the right', () => {
    expect(alignColumns(rows, 1)).toEqual(['who             requests', 'the storefront         7']);
  });

  it('has no line without a row', () => {
    expect(alignColumns([])).toEqual([]);
  });
});
