import { describe, expect, it } from '@jest/globals';
import { counted } from '../../src/command-line/index.ts';

describe('counted', () => {
  it.each([
    [counted(0, 'request'), '0 requests'],
    [counted(1, 'request'), '1 request'],
    [counted(2, 'request'), '2 requests'],
    [counted(1, 'entity', 'entities'), '1 entity'],
    [counted(2, 'entity', 'entities'), '2 entities'],
  ])('formats %j', (text, expected) => {
    expect(text).toBe(expected);
  });
});
