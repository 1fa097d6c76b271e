import { describe, expect, it } from '@jest/globals';

import { createIdentifier, identifiersAmong, isIdentifier, userIdOf } from '../src/index.ts';

describe('createIdentifier', () => {
  it('returns a UUIDv7 whose first 48 bits are the time', () => {
    expect(createIdentifier(0x017f22e279b0)).toMatch(
      /^017f22e2-79b0-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  it('returns another one each time', () => {
    expect(createIdentifier(1)).not.toBe(createIdentifier(1));
  });
});

describe('isIdentifier', () => {
  it('accepts what createIdentifier returns', () => {
    expect(isIdentifier(createIdentifier())).toBe(true);
  });

  it.each([
    '',
    'p1',
    '017F22E2-79B0-7000-8000-000000000000',
    '017f22e2-79b0-7000-8000-00000000000\0',
    "';--",
  ])('refuses %j', (text) => {
    expect(isIdentifier(text)).toBe(false);
    expect(identifiersAmong([text, '017f22e2-79b0-7000-8000-000000000000'])).toEqual([
      '017f22e2-79b0-7000-8000-000000000000',
    ]);
  });
});

describe('userIdOf', () => {
  const alice = { tenantId: 'acme', issuer: 'http://meridian.localhost', subject: 'alice' };

  it('returns the same identifier on every machine', () => {
    expect(userIdOf(alice)).toBe('26acce80-8357-839a-b264-407404d60397');
    expect(isIdentifier(userIdOf(alice))).toBe(true);
  });

  it.each([{ tenantId: 'globex' }, { issuer: 'https://issuer.example' }, { subject: 'bob' }])(
    'returns another identifier for %j',
    (difference) => {
      expect(userIdOf({ ...alice, ...difference })).not.toBe(userIdOf(alice));
    },
  );

  it('distinguishes identities whose parts join to the same text', () => {
    expect(userIdOf({ ...alice, tenantId: 'a', issuer: 'bc' })).not.toBe(
      userIdOf({ ...alice, tenantId: 'ab', issuer: 'c' }),
    );
  });
});
