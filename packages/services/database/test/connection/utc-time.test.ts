import { describe, expect, it } from '@jest/globals';

import { utcTime } from '../../src/connection/utc-time.ts';

describe('utcTime', () => {
  it.each([
    ['2026-01-02 03:04:05+00', '2026-01-02T03:04:05.000000Z'],
    ['2026-01-02 03:04:05.123456+00', '2026-01-02T03:04:05.123456Z'],
    ['2026-01-02 03:04:05.1+00', '2026-01-02T03:04:05.100000Z'],
    ['2026-01-01 00:30:00.000001+01', '2025-12-31T23:30:00.000001Z'],
    ['2026-12-31 20:00:00-05', '2027-01-01T01:00:00.000000Z'],
    ['2026-01-02 05:49:05.5+05:45', '2026-01-02T00:04:05.500000Z'],
    ['1890-01-01 00:53:28+00:53:28', '1890-01-01T00:00:00.000000Z'],
  ])('formats %s as %s', (text, written) => {
    expect(utcTime(text)).toBe(written);
  });

  it.each(['infinity', '-infinity', '0044-03-15 12:00:00+00 BC', '12026-01-01 00:00:00+00'])(
    'leaves %s unchanged, which RFC 3339 cannot write',
    (text) => {
      expect(utcTime(text)).toBe(text);
    },
  );
});
