import { problem } from '@meridian/problem-details';

import { cipherKeyOf, openText, sealText } from './sealed-text.ts';

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

/**
 * Creates the cursors of one service from its keys: the first seals, all of them open.
 *
 * A cursor is base64url of version, nonce, AES-256-GCM ciphertext and tag; the scope is authenticated with it, so that
 * a cursor of another tenant, collection or filter does not open.
 *
 * @throws {RangeError} when there is no key or an empty one
 */
export function createCursors({ keys }: { readonly keys: readonly string[] }): Cursors {
  const cipherKeys = keys.map(cursorKeyOf);
  const [sealingKey] = cipherKeys;
  if (sealingKey === undefined) {
    throw new RangeError('Cannot create cursors: the list of keys is empty');
  }
  return {
    seal(scope, position) {
      const sealed = sealText(sealingKey, authenticated(scope), JSON.stringify(position));
      return Buffer.concat([Buffer.of(version), sealed]).toString('base64url');
    },
    open(scope, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      const isOurs =
        // A cursor has one spelling; Buffer ignores some characters, so other spellings would decode as well.
        bytes.toString('base64url') === cursor && bytes[0] === version;
      for (const key of isOurs ? cipherKeys : []) {
        const text = openText(key, authenticated(scope), bytes.subarray(1));
        if (text !== undefined) {
          // Authenticated, so only this service can have written it.
          const position: readonly string[] = JSON.parse(text);
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

function cursorKeyOf(key: string): Buffer {
  if (key === '') {
    throw new RangeError('Cannot create cursors: a key is empty');
  }
  return cipherKeyOf(key, 'meridian cursor');
}

/** The length precedes each field, so that different scopes never have the same bytes. */
function authenticated({ tenantId, collection, filter }: CursorScope): string {
  return [String(version), tenantId, collection, filter].map((field) => `${field.length}:${field}`).join();
}

/** A filter as the one text that a cursor is bound to: the filters that are given, in a fixed order. */
export function filterText(filters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(filters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams(given).toString();
}
