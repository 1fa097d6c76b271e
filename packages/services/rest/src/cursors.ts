import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

import { problem } from '@meridian/problem-details';

/** The scope of a cursor: it is valid for no other request. */
export interface CursorScope {
  readonly tenantId: string;
  /** The collection's path, such as `/accounts`. */
  readonly collection: string;
  /** The filter of the pages, in one canonical text; empty for none. */
  readonly filter: string;
}

/** Cursors hide the position at which a page ended. Spec: Versioning, rule 3. */
export interface Cursors {
  /** @param position the sort key of the last item, as text; it is kept exactly */
  seal(scope: CursorScope, position: readonly string[]): string;
  /**
   * The sealed position of a cursor of this scope.
   *
   * @throws {Problem} `invalid-cursor` for anything else
   */
  open(scope: CursorScope, cursor: string): readonly string[];
}

/** Increment it when the layout of positions changes; older cursors are then invalid. */
const version = 1;

const nonceBytes = 12;
const authTagBytes = 16;
const cipher = 'aes-256-gcm';

/**
 * Creates the cursors of one service from its keys: the first seals, all of them open.
 *
 * A cursor is base64url of version, nonce, AES-256-GCM ciphertext and tag; the scope is authenticated with it, so that
 * a cursor of another tenant, collection or filter does not open.
 *
 * @throws {RangeError} when there is no key or an empty one
 */
export function createCursors({ keys }: { readonly keys: readonly string[] }): Cursors {
  const cipherKeys = keys.map(cipherKeyOf);
  const [sealingKey] = cipherKeys;
  if (sealingKey === undefined) {
    throw new RangeError('Cannot create cursors: the list of keys is empty');
  }
  return {
    seal(scope, position) {
      const nonce = randomBytes(nonceBytes);
      const encryption = createCipheriv(cipher, sealingKey, nonce).setAAD(authenticated(scope));
      const text = encryption.update(JSON.stringify(position), 'utf8');
      const sealed = [Buffer.of(version), nonce, text, encryption.final(), encryption.getAuthTag()];
      return Buffer.concat(sealed).toString('base64url');
    },
    open(scope, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      const isOurs =
        // A cursor has one spelling; Buffer ignores some characters, so other spellings would decode as well.
        bytes.toString('base64url') === cursor &&
        bytes.length > 1 + nonceBytes + authTagBytes &&
        bytes[0] === version;
      for (const key of isOurs ? cipherKeys : []) {
        const position = decrypt(bytes.subarray(1), key, authenticated(scope));
        if (position !== undefined) {
          return position;
        }
      }
      throw problem(
        'invalid-cursor',
        'The cursor is not one of this collection and filter; start again without it.',
      );
    },
  };
}

function cipherKeyOf(key: string): Buffer {
  if (key === '') {
    throw new RangeError('Cannot create cursors: a key is empty');
  }
  return Buffer.from(hkdfSync('sha256', key, '', 'meridian cursor', 32));
}

/** The length precedes each field, so that different scopes never have the same bytes. */
function authenticated({ tenantId, collection, filter }: CursorScope): Buffer {
  return Buffer.from(
    [String(version), tenantId, collection, filter].map((field) => `${field.length}:${field}`).join(),
  );
}

function decrypt(sealed: Buffer, key: Buffer, scope: Buffer): readonly string[] | undefined {
  const decryption = createDecipheriv(cipher, key, sealed.subarray(0, nonceBytes), {
    authTagLength: authTagBytes,
  })
    .setAAD(scope)
    .setAuthTag(sealed.subarray(-authTagBytes));
  const text = decryption.update(sealed.subarray(nonceBytes, -authTagBytes), undefined, 'utf8');
  try {
    // Authenticated, so only this service can have written it.
    const position: readonly string[] = JSON.parse(text + decryption.final('utf8'));
    return position;
  } catch {
    return undefined;
  }
}
