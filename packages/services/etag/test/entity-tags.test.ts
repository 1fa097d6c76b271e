import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createEntityTags } from '@meridian/etag';
import type { Representation } from '@meridian/etag';

const account: Representation = {
  tenantId: 'acme',
  identifier: 'a-1',
  revision: 7n,
  storeEpoch: 'epoch-1',
};
const version2 = { ...account, mediaType: 'application/vnd.meridian.account.v2+json' };

const tags = createEntityTags({ keys: ['current', 'previous', 'oldest'] });
const earlierTags = createEntityTags({ keys: ['previous'] });

describe('EntityTags.of', () => {
  it('is a strong validator: 128 bits as base64url in double quotes', () => {
    expect(tags.of(account)).toMatch(/^"[A-Za-z0-9_-]{22}"$/);
  });

  it('is the truncated HMAC-SHA-256 of the length-prefixed tenant, identifier, revision and store epoch', () => {
    const encoded = '\0\0\0\x04acme\0\0\0\x03a-1\0\0\0\x017\0\0\0\x07epoch-1';
    expect(tags.of(account)).toBe(`"${hmac('current', encoded)}"`);
  });

  it('ends with the media type for a representation other than the default', () => {
    const encoded = '\0\0\0\x04acme\0\0\0\x03a-1\0\0\0\x017\0\0\0\x07epoch-1\0\0\0\x28';
    expect(tags.of(version2)).toBe(`"${hmac('current', encoded + version2.mediaType)}"`);
  });

  it('counts lengths in bytes, not in characters', () => {
    const encoded = '\0\0\0\x06zürch\0\0\0\x03a-1\0\0\0\x017\0\0\0\x07epoch-1';
    expect(tags.of({ ...account, tenantId: 'zürch' })).toBe(`"${hmac('current', encoded)}"`);
  });

  it.each([1, 63, 64, 65, 200])('is that HMAC under a key of %i characters too', (length) => {
    const key = 'ü'.repeat(length);
    const encoded = '\0\0\0\x04acme\0\0\0\x03a-1\0\0\0\x017\0\0\0\x07epoch-1';
    expect(createEntityTags({ keys: [key] }).of(account)).toBe(`"${hmac(key, encoded)}"`);
  });

  it('is the same for equal representations from another instance with the same keys', () => {
    const replica = createEntityTags({ keys: ['current', 'previous', 'oldest'] });
    expect(replica.of({ ...account })).toBe(tags.of(account));
  });

  it.each([
    ['tenant', { tenantId: 'globex' }],
    ['identifier', { identifier: 'a-2' }],
    ['revision', { revision: 8n }],
    ['store epoch', { storeEpoch: 'epoch-2' }],
    ['media type', { mediaType: version2.mediaType }],
  ])('differs with the %s', (_name, change) => {
    expect(tags.of({ ...account, ...change })).not.toBe(tags.of(account));
  });

  it('differs between neighbours whose fields join to the same text', () => {
    expect(tags.of({ ...account, tenantId: 'acmea', identifier: '-1' })).not.toBe(tags.of(account));
    expect(tags.of({ ...account, revision: 71n, storeEpoch: 'epoch' })).not.toBe(
      tags.of({ ...account, revision: 7n, storeEpoch: '1epoch' }),
    );
  });

  it('differs between revisions that a double cannot tell apart', () => {
    const revision = 2n ** 53n;
    expect(tags.of({ ...account, revision })).not.toBe(tags.of({ ...account, revision: revision + 1n }));
  });

  it('differs with the key', () => {
    expect(earlierTags.of(account)).not.toBe(tags.of(account));
  });
});

describe('EntityTags.matchesIfMatch', () => {
  it('accepts the tag by the current key', () => {
    expect(tags.matchesIfMatch(tags.of(account), account)).toBe(true);
  });

  it.each(['previous', 'oldest'])('accepts the tag by the %s key', (key) => {
    const tag = createEntityTags({ keys: [key] }).of(account);
    expect(tags.matchesIfMatch(tag, account)).toBe(true);
  });

  it('refuses the tag by a key that is no longer listed', () => {
    const tag = createEntityTags({ keys: ['forgotten'] }).of(account);
    expect(tags.matchesIfMatch(tag, account)).toBe(false);
  });

  it('refuses the tag of an earlier revision', () => {
    expect(tags.matchesIfMatch(tags.of({ ...account, revision: 6n }), account)).toBe(false);
  });

  it('returns the representation that a tag belongs to', () => {
    const tag = tags.of(version2);
    expect(tags.matchesIfMatch(tag, version2)).toBe(true);
    expect(tags.matchesIfMatch(tag, account)).toBe(false);
  });

  it.each([
    ['*', () => '*'],
    ['a weak tag', () => `W/${tags.of(account)}`],
    ['a list', () => `${tags.of(account)}, ${tags.of(version2)}`],
    ['a list of one', () => `${tags.of(account)},`],
    ['an unquoted tag', () => tags.of(account).slice(1, -1)],
    ['an empty value', () => ''],
  ])('never matches %s', (_name, header) => {
    expect(tags.matchesIfMatch(header(), account)).toBe(false);
  });
});

describe('createEntityTags', () => {
  it('refuses an empty list of keys', () => {
    expect(() => createEntityTags({ keys: [] })).toThrow(
      new RangeError('Cannot create entity tags: the list of keys is empty'),
    );
  });

  it('refuses an empty key', () => {
    expect(() => createEntityTags({ keys: ['current', ''] })).toThrow(
      new RangeError('Cannot create entity tags: a key is empty'),
    );
  });
});

function hmac(key: string, encoded: string): string {
  return createHmac('sha256', key).update(encoded).digest().subarray(0, 16).toString('base64url');
}
