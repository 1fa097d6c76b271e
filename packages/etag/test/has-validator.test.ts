import { describe, expect, it } from '@jest/globals';
import { hasValidator } from '@meridian/etag';

describe('hasValidator', () => {
  it.each([undefined, '', ' ', '\t'])('counts %j as absent', (header) => {
    expect(hasValidator(header)).toBe(false);
  });

  it.each(['"3q2-7w"', 'W/"3q2-7w"', '*', 'nonsense'])('counts %s as present', (header) => {
    expect(hasValidator(header)).toBe(true);
  });
});
