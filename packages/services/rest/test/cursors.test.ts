import { describe, expect, it } from '@jest/globals';
import { createCursors } from '@meridian/rest';

const scope = { tenantId: 'acme', collection: '/accounts', filter: '' };
const position = ['2026-11-21T02:15:00.123456Z', 'a,"ü'];
const invalid = expect.objectContaining({ kind: 'invalid-cursor' });

describe('createCursors', () => {
  const cursors = createCursors({ keys: ['a key of the tests'] });

  it('opens what it sealed, with nothing lost', () => {
    expect(cursors.open(scope, cursors.seal(scope, position))).toEqual(position);
  });

  it('opens what earlier releases sealed', () => {
    const sealed =
      'ATNLTjC5O91qrLA0tviH5potzFkhkVj74-LlSyyiWsvj4NZbLxJQ1dZ6NriprSwSvh-skbXKYpA2-vyVhPcXunRSJdOD';
    expect(cursors.open(scope, sealed)).toEqual(position);
  });

  it.each([1, 2, 13, 28, 29, 30])('refuses %i bytes that begin as a cursor does', (length) => {
    const bytes = Buffer.concat([Buffer.of(1), Buffer.alloc(length - 1)]);
    expect(() => cursors.open(scope, bytes.toString('base64url'))).toThrow(invalid);
  });

  it('shows nothing of the position, and never the same cursor twice', () => {
    const cursor = cursors.seal(scope, position);
    expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toContain('2026');
    expect(cursors.seal(scope, position)).not.toBe(cursor);
  });

  it.each([{ tenantId: 'globex' }, { collection: '/transfers' }, { filter: 'account_id=a' }])(
    'refuses a cursor in another scope, %p',
    (other) => {
      const cursor = cursors.seal(scope, position);
      expect(() => cursors.open({ ...scope, ...other }, cursor)).toThrow(invalid);
    },
  );

  it('refuses a cursor with any of its characters changed, missing or added', () => {
    const cursor = cursors.seal(scope, position);
    for (let index = 0; index < cursor.length; index += 1) {
      const other = cursor[index] === 'A' ? 'B' : 'A';
      const changed = cursor.slice(0, index) + other + cursor.slice(index + 1);
      expect(() => cursors.open(scope, changed)).toThrow(invalid);
    }
    for (const changed of [
      '',
      cursor.slice(1),
      cursor.slice(0, -1),
      `${cursor}A`,
      `${cursor}=`,
      `${cursor} `,
    ]) {
      expect(() => cursors.open(scope, changed)).toThrow(invalid);
    }
  });

  it('opens cursors by an earlier key, and seals with the first', () => {
    const rotated = createCursors({ keys: ['a new key', 'a key of the tests'] });
    expect(rotated.open(scope, cursors.seal(scope, position))).toEqual(position);
    expect(() => cursors.open(scope, rotated.seal(scope, position))).toThrow(invalid);
  });

  it('refuses an empty list of keys and an empty key', () => {
    expect(() => createCursors({ keys: [] })).toThrow('Cannot create cursors: the list of keys is empty');
    expect(() => createCursors({ keys: [''] })).toThrow('Cannot create cursors: a key is empty');
  });
});
